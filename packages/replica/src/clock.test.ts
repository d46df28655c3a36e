import { expect, test } from 'vitest';
import { type MachineClock, PatientTime, SubnetTime } from './clock.ts';
import { ForgottenExpiries } from './state/requests/forgotten-expiries.ts';

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const START = 1_800_000_000n * SECOND;

/** A machine whose clock a test sets; time passes when the test says so. */
class Machine implements MachineClock {
  #wall = START;
  #steady = 5n * SECOND;
  wallNanos = (): bigint => this.#wall;
  steadyNanos = (): bigint => this.#steady;
  pass(nanos: bigint): void {
    this.#wall += nanos;
    this.#steady += nanos;
  }
  set(byNanos: bigint): void {
    this.#wall += byNanos;
  }
}

/** The time as two threads see it. */
function twoThreads(machine = new Machine()) {
  const one = new SubnetTime(undefined, machine);
  return { machine, one, other: new SubnetTime(one.buffer, machine) };
}

test('a clock that jumps ahead and back leaves one time for all threads, which goes on at half the pace', () => {
  const { machine, one, other } = twoThreads();
  expect(one.now()).toBe(START);
  machine.set(HOUR);
  expect(one.now()).toBe(START + HOUR);
  machine.set(-HOUR);
  expect([other.now(), one.now()]).toEqual([START + HOUR, START + HOUR]);
  expect(other.machine()).toBe(START);
  machine.pass(10n * MINUTE);
  expect(other.now()).toBe(START + HOUR + 5n * MINUTE);
  expect(one.aheadNanos()).toBe(55n * MINUTE);
  machine.pass(110n * MINUTE);
  expect([one.now(), one.aheadNanos()]).toEqual([START + 2n * HOUR, 0n]);
  machine.pass(MINUTE);
  expect(other.now()).toBe(START + 2n * HOUR + MINUTE);
});

test('time is moved by a span from where it is, while it runs, stands still, or is ahead of the clock', () => {
  const { machine, one, other } = twoThreads();
  one.moveBy(HOUR);
  machine.pass(MINUTE);
  expect([other.now(), other.offsetNanos]).toEqual([START + HOUR + MINUTE, HOUR]);
  machine.set(-MINUTE);
  expect(other.aheadNanos()).toBe(MINUTE);
  one.moveBy(HOUR);
  expect([other.now(), other.aheadNanos()]).toEqual([START + 2n * HOUR + MINUTE, 0n]);
  one.stop(one.now());
  one.moveBy(HOUR);
  machine.pass(MINUTE);
  expect(other.now()).toBe(START + 3n * HOUR + MINUTE);
});

test('time that stood still runs on from where it is, or from the clock of the machine where that is ahead', () => {
  const { machine, one, other } = twoThreads();
  one.stop(START - HOUR);
  machine.pass(MINUTE);
  expect(other.now()).toBe(START - HOUR);
  one.run();
  expect(other.now()).toBe(START + MINUTE);
  one.stop(one.now());
  one.set(START + 5n * HOUR);
  machine.pass(MINUTE);
  expect(other.now()).toBe(START + 5n * HOUR);
  one.run();
  machine.pass(MINUTE);
  expect(other.now()).toBe(START + 5n * HOUR + MINUTE);
});

test('time never runs back, whatever the clock does, and never stands still for good', () => {
  const { machine, one, other } = twoThreads();
  let last = one.now();
  for (let step = 0; step < 2_000; step += 1) {
    const jump = BigInt(Math.floor(Math.sin(step * 12.9898) * 5_000)) * SECOND;
    machine.set(step % 7 === 0 ? jump : 0n);
    machine.pass(SECOND);
    const now = (step % 2 ? one : other).now();
    // The first look at a clock that was set back finds the last time.
    expect(now).toBeGreaterThanOrEqual(last);
    last = now;
  }
  for (let step = 0; step < 10; step += 1) {
    machine.pass(SECOND);
    expect(other.now()).toBeGreaterThan(last);
    last = one.now();
  }
});

test('after a restart it goes on from the last time that was seen', () => {
  const machine = new Machine();
  const time = new SubnetTime(undefined, machine);
  time.continueFrom(START + HOUR);
  expect(time.now()).toBe(START + HOUR);
  machine.pass(2n * SECOND);
  expect(time.now()).toBe(START + HOUR + SECOND);
});

test('requests are not forgotten as soon as time is moved, but a quarter of an hour later', () => {
  const { machine, one, other } = twoThreads();
  const patient = new PatientTime(other, 0n);
  one.moveBy(24n * HOUR);
  for (let minute = 1n; minute < 15n; minute += 1n) {
    machine.pass(MINUTE);
    expect(patient.now()).toBe(START + minute * MINUTE);
  }
  machine.pass(2n * MINUTE);
  patient.now();
  expect(patient.now()).toBe(one.machine());
  one.stop(one.now());
  one.moveBy(24n * HOUR);
  expect(patient.now()).toBe(one.machine());
});

test('requests are not forgotten because of a jump that is taken back within a quarter of an hour', () => {
  const { machine, one } = twoThreads();
  const patient = new PatientTime(one, 0n);
  machine.pass(MINUTE);
  expect(patient.now()).toBe(START + MINUTE);
  machine.set(24n * HOUR);
  for (let minute = 2n; minute < 15n; minute += 1n) {
    machine.pass(MINUTE);
    expect(patient.now()).toBe(START + minute * MINUTE);
  }
  machine.set(-24n * HOUR);
  machine.pass(MINUTE);
  expect(patient.now()).toBe(one.machine());
  machine.set(24n * HOUR);
  for (let minute = 0n; minute < 17n; minute += 1n) {
    machine.pass(MINUTE);
    patient.now();
  }
  expect(patient.now()).toBe(one.machine());
});

test('what was forgotten is covered, and nothing else; the oldest spans are joined', () => {
  const forgotten = new ForgottenExpiries();
  for (let minute = 0n; minute < 60n; minute += 1n) forgotten.add([START + minute * MINUTE]);
  forgotten.add([START + 48n * HOUR]);
  const covered = (at: bigint): boolean => new ForgottenExpiries(forgotten.spans).cover(at);
  expect(forgotten.spans).toHaveLength(2);
  expect([covered(START - 1n), covered(START), covered(START + 90n * SECOND)]).toEqual([false, true, true]);
  expect([covered(START + 61n * MINUTE), covered(START + 48n * HOUR)]).toEqual([false, true]);
  for (let day = 3n; day < 20n; day += 1n) forgotten.add([START + day * 24n * HOUR]);
  expect(forgotten.spans.length).toBeLessThanOrEqual(4);
  expect(covered(START + 3n * 24n * HOUR)).toBe(true);
  expect(covered(START + 19n * 24n * HOUR + HOUR)).toBe(false);
});
