import type { Sodium } from './sodium.ts';

/** Jobs that are with the threads at most; a power of two. */
export const PLACES = 256;
/** What has to fit into a job, in bytes: domain separators and one or two hashes are no longer. */
export const LONGEST_MESSAGE = 64;

/** Keys as libsodium has them: a secret one is the seed and the public key. */
export const SECRET_KEY_BYTES = 64;
export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

const JOB_BYTES = LONGEST_MESSAGE + SECRET_KEY_BYTES + SIGNATURE_BYTES;
const JOB_WORDS = 2;

/** Places of the words before those of the jobs. */
const [NEXT, END, DONE, ASLEEP] = [0, 1, 2, 3];
const HEADER_WORDS = 4;
const HEADER_BYTES = 4 * (HEADER_WORDS + JOB_WORDS * PLACES);

/** Beside the length of the message: a signature is to be made, not checked. */
const TO_SIGN = 0x100;

/** What became of a job. */
const [OPEN, GOOD, BAD] = [0, 1, 2];

/** A message to sign with a secret key, or with a signature to check with a public key. */
export interface SignatureJob {
  readonly message: Uint8Array;
  /** 64 bytes, the secret key, to sign; 32 bytes, the public key, to check `signature`. */
  readonly key: Uint8Array;
  readonly signature?: Uint8Array;
}

/** The signature that was made, or whether one is good. */
export type SignatureResult = Uint8Array | boolean;

/**
 * Jobs in memory that threads share: one thread puts them in and takes the results out, in order; all of them, this
 * one too, take the next open job when they have time. No message is sent for a job, which would cost as much as a
 * signature.
 */
export class SignatureJobs {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #bytes: Uint8Array<SharedArrayBuffer>;
  readonly #library: Sodium;

  constructor(library: Sodium, buffer = new SharedArrayBuffer(HEADER_BYTES + PLACES * JOB_BYTES)) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer, 0, HEADER_BYTES / 4);
    this.#bytes = new Uint8Array(buffer, HEADER_BYTES);
    this.#library = library;
  }

  /** Jobs that nobody has taken. */
  get open(): number {
    return (Atomics.load(this.#words, END) - Atomics.load(this.#words, NEXT)) | 0;
  }

  /** Puts a job in the place `number` stands for: each is one more than the last, and its place is free. */
  put(number: number, { message, key, signature }: SignatureJob): void {
    const { messageAt, keyAt, signatureAt, words } = placeOf(number);
    this.#bytes.set(message, messageAt);
    this.#bytes.set(key, keyAt);
    if (signature) this.#bytes.set(signature, signatureAt);
    this.#words[words] = OPEN;
    this.#words[words + 1] = signature ? message.length : message.length | TO_SIGN;
    Atomics.store(this.#words, END, (number + 1) | 0);
  }

  /** Wakes a thread that sleeps, if one does. */
  wake(): void {
    if (Atomics.load(this.#words, ASLEEP) > 0) Atomics.notify(this.#words, END, 1);
  }

  /** Does the next open job; false where there is none. */
  workOnce(): boolean {
    const number = this.#take();
    if (number === undefined) return false;
    this.#work(number);
    return true;
  }

  /** Does a job that was taken by a thread that has ended, unless that has done it. */
  workAgain(number: number): void {
    if (this.result(number) === undefined) this.#work(number);
  }

  /** Does jobs for ever; this thread sleeps while there are none. */
  workOn(): never {
    for (;;) {
      const end = Atomics.load(this.#words, END);
      if (this.workOnce()) continue;
      Atomics.add(this.#words, ASLEEP, 1);
      Atomics.wait(this.#words, END, end);
      Atomics.sub(this.#words, ASLEEP, 1);
    }
  }

  /** The result of a job that was put in; undefined while there is none. */
  result(number: number): SignatureResult | undefined {
    const { words, signatureAt } = placeOf(number);
    const state = Atomics.load(this.#words, words);
    if (state === OPEN) return undefined;
    const isMade = ((this.#words[words + 1] ?? 0) & TO_SIGN) !== 0;
    return isMade ? this.#bytes.slice(signatureAt, signatureAt + SIGNATURE_BYTES) : state === GOOD;
  }

  /** How many jobs have been done, to wait for more by `doneAfter`. */
  get done(): number {
    return Atomics.load(this.#words, DONE);
  }

  /** Calls `then` when more jobs are done than `done` was. */
  doneAfter(done: number, then: () => void): void {
    const waiting = Atomics.waitAsync(this.#words, DONE, done);
    if (waiting.async) void waiting.value.then(then);
    else setImmediate(then);
  }

  #take(): number | undefined {
    for (;;) {
      const next = Atomics.load(this.#words, NEXT);
      if (next === Atomics.load(this.#words, END)) return undefined;
      if (Atomics.compareExchange(this.#words, NEXT, next, (next + 1) | 0) === next) return next;
    }
  }

  #work(number: number): void {
    const { messageAt, keyAt, signatureAt, words } = placeOf(number);
    const task = this.#words[words + 1] ?? 0;
    const part = (at: number, length: number): Uint8Array => this.#bytes.subarray(at, at + length);
    const message = part(messageAt, task & ~TO_SIGN);
    const signature = part(signatureAt, SIGNATURE_BYTES);
    let isGood = true;
    if (task & TO_SIGN) this.#library.crypto_sign_detached(signature, message, part(keyAt, SECRET_KEY_BYTES));
    else
      isGood = this.#library.crypto_sign_verify_detached(signature, message, part(keyAt, PUBLIC_KEY_BYTES));
    Atomics.store(this.#words, words, isGood ? GOOD : BAD);
    Atomics.add(this.#words, DONE, 1);
    Atomics.notify(this.#words, DONE);
  }
}

interface Place {
  readonly messageAt: number;
  readonly keyAt: number;
  readonly signatureAt: number;
  readonly words: number;
}

/** Places come round; made once, as they are asked for with every job. */
const places: readonly Place[] = Array.from({ length: PLACES }, (_, place) => ({
  messageAt: place * JOB_BYTES,
  keyAt: place * JOB_BYTES + LONGEST_MESSAGE,
  signatureAt: place * JOB_BYTES + LONGEST_MESSAGE + SECRET_KEY_BYTES,
  words: HEADER_WORDS + place * JOB_WORDS,
}));

function placeOf(number: number): Place {
  const place = places[number & (PLACES - 1)];
  if (!place) throw new RangeError('There is no such place.');
  return place;
}
