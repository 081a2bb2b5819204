#!/usr/bin/env bash
# Lets every call of short runs fail, and kills them at every one, at the lowest priority: torture.sh BUILD [OPTIONS]
# Options are those of tests/torture/torture.py: --sample 4, --scenario match, --fault "write once", --point 17, --trace
set -eu
build=$(cd "$1" && pwd)
shift
export PYTHONDONTWRITEBYTECODE=1
exec nice -n 19 python3 "$(dirname "$0")/../tests/torture/torture.py" "$build" "$@"
