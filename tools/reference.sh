#!/usr/bin/env bash
# The reference of the C library, out of the comments of its header, as pages for a browser: build/docs/reference.
# What is public and says nothing of itself is a fault.   tools/reference.sh [HEADER [FOLDER]]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
header=${1:-$here/include/sortie/sortie.h}
out=${2:-$here/build/docs/reference}
rm -rf "$out"
mkdir -p "$out"
doxygen - <<END
PROJECT_NAME           = sortie
PROJECT_NUMBER         = $("$here/tools/version.sh")
PROJECT_BRIEF          = "The C library"
INPUT                  = "$header"
STRIP_FROM_PATH        = "$here/include"
STRIP_FROM_INC_PATH    = "$here/include"
OUTPUT_DIRECTORY       = "$out"
HTML_OUTPUT            = .
GENERATE_LATEX         = NO
OPTIMIZE_OUTPUT_FOR_C  = YES
JAVADOC_AUTOBRIEF      = YES
TYPEDEF_HIDES_STRUCT   = YES
SORT_MEMBER_DOCS       = NO
SHOW_USED_FILES        = NO
SHOW_INCLUDE_FILES     = NO
VERBATIM_HEADERS       = NO
HTML_TIMESTAMP         = NO
MACRO_EXPANSION        = YES
EXPAND_ONLY_PREDEF     = YES
PREDEFINED             = SORTIE_API=
EXCLUDE_SYMBOLS        = SORTIE_API
QUIET                  = YES
EXTRACT_ALL            = NO
WARN_AS_ERROR          = FAIL_ON_WARNINGS
HAVE_DOT               = NO
END
echo "$out/index.html"
