import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PLACES, SignatureJobs } from './signature-jobs.ts';
import { SignatureThreads } from './signature-threads.ts';
import { type Sodium, sodium } from './sodium.ts';

const { privateKey, publicKey: verifyingKey } = generateKeyPairSync('ed25519');
const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
const publicKey = verifyingKey.export({ type: 'spki', format: 'der' }).subarray(-32);

function library(): Sodium {
  if (sodium === null) throw new Error('libsodium is not there.');
  return sodium;
}

/** A message, its signature by the crypto library, and one in which a bit is another. */
function sample(length: number): { message: Buffer; good: Buffer; bad: Buffer } {
  const message = randomBytes(length);
  const good = sign(null, message, privateKey);
  const bad = Buffer.from(good);
  const bit = randomBytes(2).readUInt16BE() % 512;
  bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return { message, good, bad };
}

/** Counts the callbacks given to a function that were not called yet; its argument that is a function is the callback. */
function counted<Name extends string>(
  owner: Record<Name, (...args: never[]) => unknown>,
  name: Name,
): { open: number; most: number } {
  const counts = { open: 0, most: 0 };
  const real = owner[name] as (...args: unknown[]) => unknown;
  vi.spyOn(owner as Record<string, (...args: unknown[]) => unknown>, name).mockImplementation(function (
    this: unknown,
    ...args: unknown[]
  ) {
    counts.open += 1;
    counts.most = Math.max(counts.most, counts.open);
    return real.apply(
      this,
      args.map((one) =>
        typeof one === 'function'
          ? () => {
              counts.open -= 1;
              one();
            }
          : one,
      ),
    );
  });
  return counts;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.skipIf(sodium === null).each([0, 1, 2])('with %i threads', (count) => {
  test('each of a crowd, longer than the places and longer messages among them, gets the answer to its own question', async () => {
    const threads = new SignatureThreads(library(), count);
    const secret = threads.secretKey(seed);
    for (let round = 0; round < 4; round += 1) {
      const samples = Array.from({ length: PLACES + 100 }, (_, index) => sample(index % 70));
      const answers = await Promise.all(
        samples.map(async ({ message, good, bad }) => {
          const [made, isGood, isBad] = await Promise.all([
            threads.sign(message, secret),
            threads.verify(message, good, publicKey),
            threads.verify(message, bad, publicKey),
          ]);
          return Buffer.from(made).equals(good) && isGood && !isBad;
        }),
      );
      expect(answers).toEqual(samples.map(() => true));
    }
  });

  test('what the caller does to the bytes afterwards changes nothing', async () => {
    const threads = new SignatureThreads(library(), count);
    const secret = threads.secretKey(seed);
    const questions = Array.from({ length: 60 }, () => {
      const { message, good } = sample(43);
      const signature = Buffer.from(good);
      const given = Buffer.from(message);
      const isGood = threads.verify(given, signature, publicKey);
      const made = threads.sign(given, secret);
      given.fill(0);
      signature.fill(0);
      return { good, isGood, made };
    });
    for (const { good, isGood, made } of questions) {
      expect(await isGood).toBe(true);
      expect(Buffer.from(await made)).toEqual(good);
    }
  });

  test('however long the crowd lasts, one turn is planned and the threads are waited for once; nothing when it has gone', async () => {
    const threads = new SignatureThreads(library(), count);
    const { message, good } = sample(43);
    const plan = counted(globalThis, 'setImmediate');
    const wait = counted(SignatureJobs.prototype, 'doneAfter');
    const checks: Promise<boolean>[] = [];
    for (let round = 0; round < 300; round += 1) {
      const some = Array.from({ length: 2 + (round % 11) }, () => threads.verify(message, good, publicKey));
      checks.push(...some);
      // More come in the middle of the work.
      await some[1];
    }
    expect(new Set(await Promise.all(checks))).toEqual(new Set([true]));
    await vi.waitFor(() => expect([plan.open, wait.open]).toEqual([0, 0]));
    expect(wait.most).toBeLessThanOrEqual(1);
    // One of a turn, and one for threads that were ready before they were waited for.
    expect(plan.most).toBeLessThanOrEqual(2);
  });

  test('one after the other', async () => {
    const threads = new SignatureThreads(library(), count);
    for (let round = 0; round < 50; round += 1) {
      const { message, good, bad } = sample(43);
      expect(await threads.verify(message, bad, publicKey)).toBe(false);
      expect(await threads.verify(message, good, publicKey)).toBe(true);
    }
  });
});

test.skipIf(sodium === null)(
  'threads do a part of the work of a crowd, and no job is done twice',
  async () => {
    const threads = new SignatureThreads(library(), 2);
    const { message, good } = sample(43);
    const put = vi.spyOn(SignatureJobs.prototype, 'put');
    const workOnce = vi.spyOn(SignatureJobs.prototype, 'workOnce');
    const ask = (): Promise<boolean[]> =>
      Promise.all(Array.from({ length: 100 }, () => threads.verify(message, good, publicKey)));
    await ask();
    const [jobs] = put.mock.contexts as SignatureJobs[];
    const own = (): number => workOnce.mock.results.filter(({ value }) => value === true).length;
    await vi.waitFor(async () => {
      await ask();
      expect(jobs?.done).toBeGreaterThan(own());
    }, 30_000);
    for (let round = 0; round < 100; round += 1) await ask();
    expect(jobs?.done).toBe(put.mock.calls.length);
  },
);

test.skipIf(sodium === null)(
  'a thread that ends with a job leaves nobody without an answer, and threads are done without',
  async () => {
    const threads = new SignatureThreads(library(), 2);
    const samples = Array.from({ length: 20 }, () => sample(43));
    const put = vi.spyOn(SignatureJobs.prototype, 'put');
    const started: Worker[] = [];
    const note = (thread: Worker): unknown => started.push(thread);
    process.on('worker', note);
    const ask = (): Promise<boolean[]> =>
      Promise.all(
        samples.map(({ message, good, bad }, index) =>
          threads.verify(message, index % 2 === 0 ? good : bad, publicKey),
        ),
      );
    const answers = ask();
    // As a thread takes one: the number of the next job is in the first word.
    const [jobs] = put.mock.contexts as SignatureJobs[];
    if (jobs === undefined) throw new Error('No job was put in.');
    Atomics.add(new Int32Array(jobs.buffer, 0, 1), 0, 1);
    await vi.waitFor(() => expect(started).toHaveLength(2));
    await started[0]?.terminate();
    const expected = samples.map((_, index) => index % 2 === 0);
    expect(await answers).toEqual(expected);
    const { length } = put.mock.calls;
    expect(await ask()).toEqual(expected);
    process.off('worker', note);
    expect([put.mock.calls.length, started.length]).toEqual([length, 2]);
  },
);

describe.skipIf(sodium === null)('jobs in shared memory', () => {
  test('numbers go on where words of 32 bits begin again', () => {
    const jobs = new SignatureJobs(library());
    const begin = 2 ** 31 - 3;
    new Int32Array(jobs.buffer, 0, 2).fill(begin);
    const samples = Array.from({ length: 6 }, () => sample(40));
    samples.forEach(({ message, good, bad }, index) => {
      jobs.put(begin + index, { message, key: publicKey, signature: index % 2 === 0 ? good : bad });
    });
    expect(jobs.open).toBe(6);
    expect(jobs.result(begin)).toBeUndefined();
    while (jobs.workOnce());
    expect(jobs.open).toBe(0);
    expect(samples.map((_, index) => jobs.result(begin + index))).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
  });

  test('whoever takes from it, each job is done once and none is left', () => {
    const jobs = new SignatureJobs(library());
    const others = Array.from({ length: 3 }, () => new SignatureJobs(library(), jobs.buffer));
    const samples = Array.from({ length: PLACES }, () => sample(43));
    samples.forEach(({ message, good }, index) =>
      jobs.put(index, { message, key: publicKey, signature: good }),
    );
    let done = 0;
    while (others.some((each) => each.workOnce())) done += 1;
    expect(done).toBe(PLACES);
    expect(jobs.done).toBe(PLACES);
    expect(samples.every((_, index) => jobs.result(index) === true)).toBe(true);
  });
});

test.skipIf(sodium === null)('threads that were started do not keep the process running', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-signatures-'));
  const program = join(folder, 'program.mjs');
  const moduleOf = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  writeFileSync(
    program,
    `import { once } from 'node:events';
    import { SignatureThreads } from ${moduleOf('./signature-threads.ts')};
    import { sodium } from ${moduleOf('./sodium.ts')};
    const threads = new SignatureThreads(sodium, 2);
    const secret = threads.secretKey(new Uint8Array(32));
    const started = once(process, 'worker').then(([thread]) => once(thread, 'online'));
    const all = await Promise.all(Array.from({ length: 100 }, (_, n) => threads.sign(Uint8Array.of(n), secret)));
    const running = setInterval(() => undefined, 1_000);
    await started;
    clearInterval(running);
    process.stdout.write(String(all.length));`,
  );
  try {
    const { status, stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8', timeout: 30_000 });
    expect([status, stdout]).toEqual([0, '100']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(sodium === null)('the crypto library agrees with what threads have signed', async () => {
  const threads = new SignatureThreads(library(), 2);
  const secret = threads.secretKey(seed);
  const messages = Array.from({ length: 200 }, () => randomBytes(44));
  const signatures = await Promise.all(messages.map((message) => threads.sign(message, secret)));
  expect(
    messages.every((message, index) =>
      verify(null, message, verifyingKey, signatures[index] ?? new Uint8Array()),
    ),
  ).toBe(true);
});
