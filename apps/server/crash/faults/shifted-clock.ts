// Loaded before a program under test (node --import): its clock is the machine's and the hours in the file that CLOCK_FILE names,
// read at each SIGUSR2. What runs at a steady pace (performance.now, timers) stays as it is, as on a machine whose clock is set.
import { readFileSync } from 'node:fs';

const HOUR_MS = 3_600_000;
const file = process.env['CLOCK_FILE'] ?? '';
const now = Date.now.bind(Date);
let offset = 0;

process.on('SIGUSR2', () => {
  offset = Number(readFileSync(file, 'utf8')) * HOUR_MS;
});

const shifted = (): number => now() + offset;
Date.now = shifted;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [shifted()] : given, newTarget),
});
