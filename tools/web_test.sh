#!/usr/bin/env bash
# Runs the page's tests in Debian's Chromium: tools/web_test.sh [NAME...] for some of tests/web/NAME.test.js. Without a
# name some of them run in Debian's Firefox too; SORTIE_BROWSER=firefox tools/web_test.sh NAME... runs others there, but
# for those that measure, which ask what only Chromium tells.
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
[ $# -eq 0 ] || exit 0
# In Firefox: the site, what holds in every browser, and of every screen what it is there for.
in_firefox() {
    SORTIE_BROWSER=firefox NODE_PATH=$room/node_modules node --test --test-concurrency=1 --test-timeout=900000 "$@"
}
in_firefox tests/web/site.test.js tests/web/both.test.js
names='it opens with an example|lessons: side by side|the quiz waits|every step of every lesson|a review marks|a win is played out|a worker that dies|every click on a line'
in_firefox "--test-name-pattern=$names" tests/web/{explorer,table,study,puzzles,faults}.test.js
