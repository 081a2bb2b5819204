#!/usr/bin/env bash
# Builds build/site, the page as a folder for any host of files (GitHub Pages, nginx, ...): its parts lie beside each other, so
# that a browser compiles the engine while it comes in, works offline after the first visit, and thinks on several threads.
# docs/hosting.md says how to put it up. SORTIE_SITE is the address it will have, for pictures of links to it.
set -eu
cd "$(dirname "$0")/.."
out=build/web
site=build/site.new
address=${SORTIE_SITE-}
[ -z "$address" ] || address=${address%/}/
version=$(tools/version.sh)
tools/web.sh "$@" >/dev/null # what both have in common
[ "${1:-}" = page ] && [ -s $out/sortie-threads.wasm ] || tools/wasm.sh --threads
rm -rf $site
mkdir -p $site

# The page, with a policy of its own: it fetches what lies beside it.
esbuild web/js/main.js --outfile=$out/site.js --bundle --minify --charset=utf8 --log-level=warning --format=iife \
    "--alias:languages=./$out/languages.js" "--define:VERSION=\"$version\"" --define:SITE=true
printf '%s' "$(cat $out/site.js)" >$out/site
hash_of() { printf "'sha256-%s'" "$(openssl dgst -sha256 -binary "$1" | base64 -w 0)"; }
policy="default-src 'none'; script-src 'wasm-unsafe-eval' $(hash_of $out/site); style-src $(hash_of $out/style); worker-src blob: 'self'; \
img-src 'self' data: blob:; font-src data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
title="sortie: play, study and prove board games"
words="Gomoku, Stake-Raid, Sneak-Raid and Laser Checkmate in the browser, with an engine that shows its work."
head="<meta name=\"description\" content=\"$words\">
<meta name=\"theme-color\" content=\"#1f6f6b\">
<link rel=\"manifest\" href=\"manifest.webmanifest\">
<link rel=\"apple-touch-icon\" href=\"icon-180.png\">
<meta property=\"og:type\" content=\"website\">
<meta property=\"og:title\" content=\"$title\">
<meta property=\"og:description\" content=\"$words\">
<meta property=\"og:image\" content=\"${address}card.png\">
<meta property=\"og:image:width\" content=\"1200\">
<meta property=\"og:image:height\" content=\"630\">
<meta name=\"twitter:card\" content=\"summary_large_image\">"
[ -z "$address" ] || head+="
<meta property=\"og:url\" content=\"$address\">"
tools/web_page.py web/page.html "$policy" "$head" STYLE=$out/style WORKER=$out/worker PAGE=$out/site >$site/index.html
cp $out/sortie.wasm $out/sortie-threads.wasm web/puzzles.txt web/mark.svg $site/

# Icons and the card of a link, drawn from the mark. A mask may cut away a fifth at each side: there the mark is smaller.
for size in 180 192 512; do rsvg-convert -w $size -h $size web/mark.svg -o $site/icon-$size.png; done
mark=$(sed 's/<svg [^>]*>//; s/<\/svg>//' web/mark.svg)
printf '%s' "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' fill='#1f6f6b'/><g transform='translate(4.800 4.800) scale(.7)'>$mark</g></svg>" |
    rsvg-convert -w 512 -h 512 -o $site/icon-mask.png
MARK=$mark awk '{ at = index($0, "@MARK@"); if (at) $0 = substr($0, 1, at - 1) ENVIRON["MARK"] substr($0, at + 6); print }' web/site/card.svg |
    rsvg-convert -w 1200 -h 630 -o $site/card.png
cat >$site/manifest.webmanifest <<END
{"id": "./", "name": "sortie", "short_name": "sortie", "description": "$words", "start_url": "./", "scope": "./", "display": "standalone",
 "shortcuts": [{"name": "Play", "url": "./#play"}, {"name": "Puzzles", "url": "./#puzzles"}, {"name": "See how it thinks", "url": "./#explore"}],
 "background_color": "#f6f3ec", "theme_color": "#1f6f6b", "categories": ["games", "education"],
 "icons": [{"src": "mark.svg", "sizes": "any", "type": "image/svg+xml"}, {"src": "icon-192.png", "sizes": "192x192", "type": "image/png"},
  {"src": "icon-512.png", "sizes": "512x512", "type": "image/png"},
  {"src": "icon-mask.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"}]}
END

# The service worker names what it keeps, and all of it by one stamp: a file that changes makes another version.
files=(./ sortie.wasm sortie-threads.wasm puzzles.txt mark.svg manifest.webmanifest icon-180.png icon-192.png icon-512.png)
stamp=$(cd $site && cat -- * | sha256sum | cut -c 1-16)
list=$(printf '"%s", ' "${files[@]}")
{
    echo "const STAMP = '$version $stamp';"
    echo "const FILES = [${list%, }];"
    cat web/site/worker.js
} >$out/site-worker.js
esbuild $out/site-worker.js --outfile=$site/worker.js --minify --charset=utf8 --log-level=warning
touch $site/.nojekyll # GitHub Pages is to serve the files as they are

# Packed copies for hosts that send them (nginx's gzip_static and brotli_static, Caddy's precompressed).
for file in index.html worker.js manifest.webmanifest sortie.wasm sortie-threads.wasm puzzles.txt mark.svg; do
    gzip -9 -n -k $site/$file
    ! command -v brotli >/dev/null || brotli -q 11 -w 22 -k -f $site/$file
done
rm -rf build/site
mv $site build/site
echo "build/site: $(du -sk build/site | cut -f 1) KiB; a first visit loads $(cat build/site/index.html.gz build/site/sortie.wasm.gz | wc -c) bytes"
