import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { clientAddress } from '../../http/transport/client-address.ts';
import { Admission, type AdmissionLimits, BusyError, type Visitor } from './admission.ts';

const LIMITS: AdmissionLimits = {
  questions: { all: 4, address: 3, canister: 2 },
  waiting: { all: 6, address: 5, canister: 3 },
  bytes: { all: 100, address: 60, canister: 40 },
  answerBytes: 10,
  updates: { all: 4, address: 2, canister: 3 },
  waitMillis: 30_000,
  takeMillis: 30_000,
};
const never = new AbortController().signal;
const of = (address: string, canister: string): Visitor => ({ address: clientAddress(address), canister });
const nothing = (): void => undefined;

/** Questions that are answered when the test says so. */
class Questions {
  readonly admission: Admission;
  readonly asked: string[] = [];
  readonly #open = new Map<string, () => void>();

  constructor(limits: Partial<AdmissionLimits> = {}) {
    this.admission = new Admission({ ...LIMITS, ...limits });
  }

  ask(name: string, address: string, canister: string, signal = never): Promise<void> {
    return this.admission.ask(of(address, canister), signal, () => {
      this.asked.push(name);
      return new Promise((resolve) => this.#open.set(name, resolve));
    });
  }

  /** Answers, and waits until what follows from that has happened. */
  async answer(name: string): Promise<void> {
    this.#open.get(name)?.();
    await delay(0);
  }
}

test('each share lets a number of questions through; the others wait for an answer', async () => {
  const questions = new Questions();
  const all = [
    questions.ask('a1', '1', 'a'),
    questions.ask('a2', '2', 'a'),
    questions.ask('a3', '3', 'a'),
    questions.ask('b1', '1', 'b'),
    questions.ask('c1', '1', 'c'),
    questions.ask('d1', '1', 'd'),
  ];
  await delay(0);
  // A third one of the canister waits, and a fourth one in all.
  expect(questions.asked).toEqual(['a1', 'a2', 'b1', 'c1']);
  expect(questions.admission.inFlight).toEqual({ questions: 4, waiting: 2, bytes: 0 });
  await questions.answer('a1');
  // Whose canister has none in flight comes first.
  expect(questions.asked.at(-1)).toBe('d1');
  for (const name of ['a2', 'b1', 'c1', 'd1', 'a3']) await questions.answer(name);
  await Promise.all(all);
  expect(questions.admission.inFlight).toEqual({ questions: 0, waiting: 0, bytes: 0 });
});

test('the line is bounded for a canister, for an address and for all', async () => {
  const questions = new Questions();
  const open = [0, 1, 2, 3, 4].map((index) => questions.ask(`a${index}`, `${index}`, 'a'));
  await expect(questions.ask('more', '9', 'a')).rejects.toThrow(BusyError);
  const others = ['b', 'c', 'd', 'e', 'f'].map((canister) => questions.ask(canister, '7', canister));
  await expect(questions.ask('g', '8', 'g')).rejects.toThrow(BusyError);
  for (let round = 0; round < 10; round += 1)
    for (const name of questions.asked) await questions.answer(name);
  await Promise.all([...open, ...others]);
  expect(questions.asked).toHaveLength(10);
});

test('who waits too long or has gone leaves the line, and takes no place', async () => {
  const questions = new Questions({ waitMillis: 20 });
  const first = [questions.ask('a1', '1', 'a'), questions.ask('a2', '1', 'a')];
  await expect(questions.ask('slow', '2', 'a')).rejects.toThrow('take too long');
  const gone = new AbortController();
  const waiting = questions.ask('gone', '2', 'a', gone.signal);
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect(questions.ask('never', '2', 'b', gone.signal)).rejects.toThrow('gone');
  await questions.answer('a1');
  await questions.answer('a2');
  await Promise.all(first);
  expect(questions.asked).toEqual(['a1', 'a2']);
  expect(questions.admission.inFlight).toEqual({ questions: 0, waiting: 0, bytes: 0 });
});

test('a question that fails gives its place back', async () => {
  const questions = new Questions();
  const failing = questions.admission.ask(of('1', 'a'), never, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(questions.admission.inFlight.questions).toBe(0);
});

test('update calls under way are bounded for an address, a canister and all, and nobody waits in line for one', async () => {
  const { admission } = new Questions();
  const calls: PromiseWithResolvers<void>[] = [];
  const call = (address: string, canister: string): Promise<void> =>
    admission.update(of(address, canister), () => {
      const made = Promise.withResolvers<void>();
      calls.push(made);
      return made.promise;
    });
  const first = [call('1', 'a'), call('1', 'b'), call('2', 'a'), call('3', 'a')];
  await expect(call('1', 'c')).rejects.toThrow(BusyError);
  await expect(call('9', 'a')).rejects.toThrow(BusyError);
  await expect(call('9', 'd')).rejects.toThrow(BusyError);
  expect(calls).toHaveLength(4);
  // A call that fails gives its place back as well.
  calls[0]?.reject(new Error('no'));
  await expect(first[0]).rejects.toThrow('no');
  const next = call('9', 'd');
  for (const made of calls) made.resolve();
  await Promise.all([...first.slice(1), next]);
});

describe('bytes that clients have not taken', () => {
  test('keep back questions of the same canister or address only', async () => {
    const questions = new Questions();
    const release = questions.admission.hold(of('1', 'a'), 40, nothing);
    const waiting = questions.ask('a', '2', 'a');
    const other = questions.ask('b', '2', 'b');
    expect(questions.asked).toEqual(['b']);
    release();
    release();
    await delay(0);
    expect(questions.asked).toEqual(['b', 'a']);
    await questions.answer('a');
    await questions.answer('b');
    await Promise.all([waiting, other]);
    expect(questions.admission.inFlight.bytes).toBe(0);
  });

  test('questions in flight count as answers that are not taken', async () => {
    const questions = new Questions();
    questions.admission.hold(of('1', 'a'), 30, nothing);
    const [first, second] = [questions.ask('first', '2', 'a'), questions.ask('second', '2', 'a')];
    const other = questions.ask('other', '2', 'b');
    await delay(0);
    // The answer to the first may fill what the canister has left.
    expect(questions.asked).toEqual(['first', 'other']);
    await questions.answer('first');
    expect(questions.asked).toEqual(['first', 'other', 'second']);
    for (const name of ['second', 'other']) await questions.answer(name);
    await Promise.all([first, second, other]);
  });

  test('the oldest of those in the way gives way when its time is over, and no other', async () => {
    const questions = new Questions({ takeMillis: 20 });
    const dropped: string[] = [];
    const hold = (name: string, address: string, canister: string): void => {
      const release = questions.admission.hold(of(address, canister), 20, () => {
        dropped.push(name);
        release();
      });
    };
    hold('other', '3', 'c');
    hold('first', '1', 'a');
    hold('second', '2', 'a');
    const waiting = questions.ask('a', '4', 'a');
    expect(dropped).toEqual([]);
    await expect.poll(() => questions.asked).toEqual(['a']);
    expect(dropped).toEqual(['first']);
    await questions.answer('a');
    await waiting;
  });
});
