// Prints the bench signature of the engine inside the page: node signature.mjs MODULE.wasm
import { readFile } from 'node:fs/promises';
import { startEngine } from '../../web/js/core/module.js';

const engine = await startEngine(await WebAssembly.compile(await readFile(process.argv[2])));
process.stdout.write(engine.call('web_bench', null, 50000));
