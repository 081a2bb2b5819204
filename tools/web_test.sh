#!/usr/bin/env bash
# Runs the page's tests in Debian's Chromium: tools/web_test.sh [NAME...] for some of tests/web/NAME.test.js. Without a
# name some of them run in Debian's Firefox too; SORTIE_BROWSER=firefox tools/web_test.sh NAME... runs others there.
set -eu
cd "$(dirname "$0")/.."
room=build/web/npm
mkdir -p "$room"
if ! cmp -s tests/web/package-lock.json "$room/installed"; then
    cp tests/web/package.json tests/web/package-lock.json "$room"
    (cd "$room" && npm ci --silent --no-audit --no-fund >/dev/null)
    cp tests/web/package-lock.json "$room/installed"
fi
files=()
for name in "$@"; do files+=("tests/web/$name.test.js"); done
[ ${#files[@]} -gt 0 ] || files=(tests/web/*.test.js)
NODE_PATH=$room/node_modules node --test --test-concurrency=1 --test-timeout=900000 "${files[@]}"
[ $# -gt 0 ] || SORTIE_BROWSER=firefox NODE_PATH=$room/node_modules node --test --test-concurrency=1 --test-timeout=900000 \
    tests/web/site.test.js tests/web/both.test.js
