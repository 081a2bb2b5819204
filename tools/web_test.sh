#!/usr/bin/env bash
# Runs the page's tests in Debian's Chromium.
set -eu
cd "$(dirname "$0")/.."
npm install --silent --no-audit --no-fund --prefix build/web playwright-core >/dev/null
NODE_PATH=build/web/node_modules node tests/web/page.test.js "$PWD/build/sortie.html"
