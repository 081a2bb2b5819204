#!/usr/bin/env bash
# Builds build/sortie.html: the page with the engine inside it, one file that opens from disk in any browser. web/js and
# web/css are put together by esbuild, the font is cut down to the characters of the texts.
set -eu
cd "$(dirname "$0")/.."
out=build/web
mkdir -p "$out"
version=$(tools/version.sh)

# The engine as the page carries it.
build_engine() {
    tools/wasm.sh
    gzip -9 -n -c "$out/sortie.wasm" | in_base_85 >"$out/module"
}

# Four bytes as five digits, the characters that end or begin something in HTML left out; what web/js/main.js reads.
in_base_85() {
    python3 -c "import base64, sys
packed = base64.b85encode(sys.stdin.buffer.read())
sys.stdout.buffer.write(packed.translate(bytes.maketrans(b'&<>\`', b',./:')))"
}

# The languages there are: a file of web/texts each, English first.
list_languages() {
    local file name names=()
    for file in web/texts/en.js $(ls web/texts/*.js | grep -v '/en\.js$'); do
        name=$(basename "$file" .js)
        names+=("$name")
        echo "import $name from '../../$file';"
    done
    local IFS=,
    echo "export const TEXTS = { ${names[*]} };"
}

# The font of the page, Inter (SIL Open Font License, Debian's fonts-inter), with the characters of the texts and of
# boards alone. Its name is left out of the licence's reach by another one here: "sortie".
cut_font() {
    local weight file
    for weight in 400:Regular 600:SemiBold; do
        file=/usr/share/fonts/opentype/inter/Inter-${weight#*:}.otf
        SOURCE_DATE_EPOCH=0 /usr/bin/python3 -m fontTools.subset "$file" --output-file="$out/inter-${weight%:*}.woff2" --flavor=woff2 \
            --layout-features=kern,tnum,calt,ccmp,locl,mark,mkmk --no-hinting --desubroutinize --name-IDs='' \
            --unicodes="$(/usr/bin/python3 tools/web_characters.py web/texts/*.js)"
        echo "@font-face { font-family: sortie; font-weight: ${weight%:*}; src: url(inter-${weight%:*}.woff2) format(\"woff2\"); }"
    done
}

# bundle IN OUT [OPTION...]: a script or style with everything it imports, small.
bundle() {
    esbuild "$1" --outfile="$2" --bundle --minify --charset=utf8 --log-level=warning "${@:3}"
}

# The hash of a script or style, as a content security policy names it.
hash_of() {
    printf "'sha256-%s'" "$(openssl dgst -sha256 -binary "$1" | base64 -w 0)"
}

# What stands in a place of the page is a whole line end shorter than its file.
trim() {
    printf '%s' "$(cat "$1")" >"$2"
}

[ "${1:-}" = page ] && [ -s "$out/module" ] || build_engine # `tools/web.sh page` leaves the engine as it is
gzip -9 -n -c web/puzzles.txt | in_base_85 >"$out/puzzles"
list_languages >"$out/languages.js"
cut_font >"$out/font.css"
bundle web/css/main.css "$out/style.css" --loader:.woff2=dataurl
bundle web/js/core/worker.js "$out/worker.js" --format=iife
bundle web/js/main.js "$out/page.js" --format=iife --alias:languages="./$out/languages.js" "--define:VERSION=\"$version\"" --define:SITE=false
for part in style.css worker.js page.js; do trim "$out/$part" "$out/${part%.*}"; done
policy="default-src 'none'; script-src 'wasm-unsafe-eval' $(hash_of "$out/page"); style-src $(hash_of "$out/style"); \
worker-src blob:; img-src data: blob:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
tools/web_page.py web/page.html "$policy" "" "STYLE=$out/style" "MODULE=$out/module" "PUZZLES=$out/puzzles" "WORKER=$out/worker" "PAGE=$out/page" \
    >"$out/page.html"
mv "$out/page.html" build/sortie.html
# As `sortie serve` sends it, no older than the page.
gzip -9 -n -c build/sortie.html >"$out/packed" && mv "$out/packed" build/sortie.html.gz
rm -f build/sortie.html.br
if command -v brotli >/dev/null; then brotli -q 9 -c build/sortie.html >"$out/packed" && mv "$out/packed" build/sortie.html.br; fi
echo "build/sortie.html: $(wc -c <build/sortie.html) bytes, open it in a browser"
