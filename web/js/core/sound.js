// A short wooden knock for a move, where the user has asked for sound.
import { recall } from './store.js';

let context = null;

function knock(pitch = 1) {
  if (!recall('sound', false)) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.25, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  const tone = context.createOscillator();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(420 * pitch, now);
  tone.frequency.exponentialRampToValueAtTime(160 * pitch, now + 0.08);
  tone.connect(gain).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}

export { knock };
