// Three short sounds, made on the spot.

let context: AudioContext | null = null;

export type Sound = "move" | "capture" | "end";

const NOTES: Record<Sound, [frequency: number, at: number, length: number][]> = {
  move: [[320, 0, 0.07]],
  capture: [
    [210, 0, 0.09],
    [140, 0.05, 0.14],
  ],
  end: [
    [392, 0, 0.25],
    [494, 0.15, 0.25],
    [587, 0.3, 0.5],
  ],
};

export function play(sound: Sound): void {
  context ??= new AudioContext();
  const now = context.currentTime;
  for (const [frequency, at, length] of NOTES[sound]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.25, now + at);
    volume.gain.exponentialRampToValueAtTime(0.001, now + at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(now + at);
    tone.stop(now + at + length);
  }
}
