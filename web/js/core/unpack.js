// What travels with the page: inside the one file, in base 85 and packed by gzip; beside the page on a site. The engine is
// compiled while it comes in.
import { $ } from './dom.js';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=/?@^_:{|}~';

// Bytes out of text: five digits of base 85 are four bytes; a shorter group at the end is filled up, and its bytes cut.
function fromBase85(text) {
  const worth = new Uint8Array(128);
  for (let i = 0; i < 85; i++) worth[DIGITS.charCodeAt(i)] = i;
  const bytes = new DataView(new ArrayBuffer(Math.ceil(text.length / 5) * 4));
  for (let i = 0; i < text.length; i += 5) {
    let number = 0;
    for (let k = i; k < i + 5; k++) number = number * 85 + (k < text.length ? worth[text.charCodeAt(k)] : 84);
    bytes.setUint32((i / 5) * 4, number);
  }
  return new Uint8Array(bytes.buffer, 0, Math.floor((text.length * 4) / 5));
}

const unpacked = (name) => new Blob([fromBase85($(name).textContent)]).stream().pipeThrough(new DecompressionStream('gzip'));
const isSite = typeof SITE !== 'undefined' && SITE; // esbuild says so (tools/web.sh, tools/site.sh)

async function fetched(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return response;
}

// Not every host calls a .wasm file what a browser wants it to be called.
async function fetchModule(name) {
  try {
    return await WebAssembly.compileStreaming(fetched(name));
  } catch {
    return WebAssembly.compile(await (await fetched(name)).arrayBuffer());
  }
}

// The engine; on a site the one for several threads, where the browser lets workers share memory.
function loadModule(threads) {
  if (isSite) return fetchModule(threads ? 'sortie-threads.wasm' : 'sortie.wasm');
  return WebAssembly.compileStreaming(new Response(unpacked('module'), { headers: { 'Content-Type': 'application/wasm' } }));
}

const readPuzzles = async () => (isSite ? await fetched('puzzles.txt') : new Response(unpacked('puzzles'))).text();

export { isSite, loadModule, readPuzzles };
