// The engine travels inside the page: base 85, packed by gzip; it is compiled while it is unpacked.

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

function unpackModule(text) {
  const stream = new Blob([fromBase85(text)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { 'Content-Type': 'application/wasm' } }));
}

// A text that travels the same way.
const unpackText = (text) => new Response(new Blob([fromBase85(text)]).stream().pipeThrough(new DecompressionStream('gzip'))).text();

export { unpackModule, unpackText };
