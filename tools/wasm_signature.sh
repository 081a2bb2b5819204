#!/usr/bin/env bash
# Compiles the engine inside the page, for one thread and for several, and compares the bench signature of both, run by node
# on one thread, with bench/signature; then has the second think on two threads.
set -eu
cd "$(dirname "$0")/.."
tools/wasm.sh
tools/wasm.sh --threads
for module in sortie sortie-threads; do
    node --no-warnings tests/wasm/signature.mjs "build/web/$module.wasm" | diff bench/signature -
done
node --no-warnings tests/wasm/threads.mjs build/web/sortie-threads.wasm
echo "wasm signature: the same"
