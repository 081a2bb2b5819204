// What certificates prove, looked up in a worker of its own: the proof that the first player wins has 95 MB.
import { askText } from '../../core/rules.js';
import { t } from '../../core/texts.js';

const NAMES = ['gomoku.proof', 'gomoku.proof.gz'];
const MOST_BYTES = 120 << 20;
const GZIP = [0x1f, 0x8b];
const XZ = [0xfd, 0x37];

class Oracle {
  constructor(app) {
    Object.assign(this, { app, engine: null, native: false, start: '', queue: Promise.resolve() });
  }

  get ready() {
    return Boolean(this.engine) || this.native;
  }

  // Calls of the worker one after the other: a call that begins during another would end it, and the proof with it.
  call(name, input, values) {
    const next = this.queue.then(() => this.engine.call(name, input, values));
    this.queue = next.catch(() => {});
    return next;
  }

  // Takes a certificate in; throws a plain line where it is none.
  async open(blob) {
    let bytes = await bytesOf(blob);
    const start = startOf(bytes);
    const engine = this.app.newEngine();
    await engine.call('web_open_proof', bytes, []);
    bytes = null;
    Object.assign(this, { engine, start });
  }

  // Looks for a certificate beside the page, and for one the native engine has. True when there is one.
  async find() {
    if (this.ready) return true;
    if (!location.protocol.startsWith('http')) return false;
    if (this.app.native) {
      const { best } = await this.app.engine.askNative(askText('gomoku freestyle 15\n', ['H8', 'H7'], { nodes: 1 }), () => {}).catch(() => ({}));
      this.native = Boolean(best) && best.lower !== undefined && best.lower === best.upper;
      this.start = 'gomoku freestyle 15\n';
      if (this.native) return true;
    }
    for (const name of NAMES) {
      const response = await fetch(name).catch(() => null);
      if (!response || !response.ok) continue;
      await this.open(await response.blob());
      return true;
    }
    return false;
  }

  // What is proved of a position: { move, value } for the side to move, or null.
  async ask(start, moves) {
    const text = askText(start, moves, this.native ? { nodes: 1 } : {});
    if (this.native) {
      const { best } = await this.app.engine.askNative(text, () => {});
      return best && best.lower !== undefined && best.lower === best.upper ? { move: best.move, value: best.value } : null;
    }
    const { move, value } = await this.call('web_proof', text, []);
    return move ? { move, value } : null;
  }
}

// The position a certificate is about, in sortie's own text.
function startOf(bytes) {
  const [, name = '', , , ...rest] = new TextDecoder().decode(bytes.subarray(0, 1000)).split('\n');
  const size = Number(name.split(' ').pop());
  const rows = rest.slice(0, size);
  return [`gomoku freestyle ${size}`, ...(rows.join('').replaceAll('.', '') ? rows : [])].join('\n') + '\n';
}

const begins = (bytes, magic) => magic.every((each, i) => bytes[i] === each);

// A file's bytes, unpacked where it is packed by gzip.
async function bytesOf(blob) {
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  if (begins(head, XZ)) throw new Error(t('proof.packed'));
  if (!begins(head, GZIP)) {
    if (blob.size > MOST_BYTES) throw new Error(t('proof.most'));
    return new Uint8Array(await blob.arrayBuffer());
  }
  const reader = blob.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts = [];
  for (let length = 0; ; ) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > MOST_BYTES) throw new Error(t('proof.most'));
    parts.push(value);
  }
}

export { Oracle };
