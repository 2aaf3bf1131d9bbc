// Soft sounds, made on the spot: a wooden tock for a step, a thud for a capture, drops for the water, notes for stars.

let context: AudioContext | null = null;

export type Sound = "move" | "capture" | "splash" | "jump" | "star" | "wrong" | "end" | "lost";

interface Note {
  /** In hertz, from and to. */
  pitch: [number, number];
  /** In seconds. */
  at: number;
  length: number;
  volume: number;
  /** A little noise at the start, as of wood. */
  knock?: boolean;
}

const note = (pitch: number, at: number, length: number, volume = 0.16): Note => ({
  pitch: [pitch, pitch],
  at,
  length,
  volume,
});

const SOUNDS: Record<Sound, Note[]> = {
  move: [{ pitch: [260, 190], at: 0, length: 0.09, volume: 0.2, knock: true }],
  capture: [
    { pitch: [190, 90], at: 0, length: 0.16, volume: 0.3, knock: true },
    { pitch: [120, 80], at: 0.06, length: 0.18, volume: 0.2 },
  ],
  splash: [
    { pitch: [420, 760], at: 0, length: 0.09, volume: 0.12 },
    { pitch: [340, 620], at: 0.09, length: 0.11, volume: 0.1 },
  ],
  jump: [
    { pitch: [220, 520], at: 0, length: 0.2, volume: 0.12 },
    { pitch: [230, 170], at: 0.2, length: 0.1, volume: 0.2, knock: true },
  ],
  star: [note(784, 0, 0.16), note(1175, 0.09, 0.3)],
  wrong: [note(233, 0, 0.14, 0.12), note(208, 0.12, 0.22, 0.12)],
  end: [note(523, 0, 0.3), note(659, 0.14, 0.3), note(784, 0.28, 0.3), note(1047, 0.42, 0.7)],
  lost: [note(392, 0, 0.3, 0.12), note(330, 0.2, 0.3, 0.12), note(262, 0.4, 0.6, 0.12)],
};

function hiss(at: AudioContext): AudioBuffer {
  const buffer = at.createBuffer(1, at.sampleRate * 0.03, at.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < data.length; index++)
    data[index] = (Math.random() * 2 - 1) * (1 - index / data.length) ** 3;
  return buffer;
}

export function play(sound: Sound): void {
  context ??= new AudioContext();
  const now = context.currentTime + 0.01;
  for (const { pitch, at, length, volume, knock } of SOUNDS[sound]) {
    const start = now + at;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(volume, start + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.001, start + length);
    gain.connect(context.destination);
    const tone = context.createOscillator();
    tone.type = "sine";
    tone.frequency.setValueAtTime(pitch[0], start);
    tone.frequency.exponentialRampToValueAtTime(pitch[1], start + length);
    tone.connect(gain);
    tone.start(start);
    tone.stop(start + length);
    if (!knock) continue;
    const noise = context.createBufferSource();
    noise.buffer = hiss(context);
    const filter = context.createBiquadFilter();
    filter.type = "lowpass";
    filter.frequency.value = 1400;
    noise.connect(filter).connect(gain);
    noise.start(start);
  }
}
