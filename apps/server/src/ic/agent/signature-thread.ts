import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/** What a BLS check is told: the public key (96 bytes), the signature (48 bytes) and the signed bytes. */
export type Signed = readonly [key: Uint8Array, signature: Uint8Array, message: Uint8Array];

/** A question to the thread that checks signatures. */
export interface SignatureQuestion {
  readonly id: number;
  readonly signed: Signed;
}
/** Its answer, with the id of the question. */
export interface SignatureAnswer {
  readonly id: number;
  readonly isGood: boolean;
}

interface Waiting {
  readonly signed: Signed;
  readonly resolve: (isGood: boolean | Promise<boolean>) => void;
}

let thread: SignatureThread | undefined;

/**
 * Checks a BLS signature in a separate thread, for it takes about 6 ms of pure computation. The thread starts with the first
 * check and keeps no process alive; where it ends, the checks under way are made here.
 */
export function isGoodInThread(...signed: Signed): Promise<boolean> {
  thread ??= new SignatureThread(() => {
    thread = undefined;
  });
  return thread.ask(signed);
}

class SignatureThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 0;

  constructor(onEnd: () => void) {
    this.#worker = new Worker(new URL('./signature-worker.ts', import.meta.url), { env: {} });
    this.#worker.on('message', ({ id, isGood }: SignatureAnswer) => {
      this.#waiting.get(id)?.resolve(isGood);
      this.#forget(id);
    });
    // An error is followed by the end.
    this.#worker.on('error', () => {});
    this.#worker.on('exit', () => {
      onEnd();
      for (const { signed, resolve } of this.#waiting.values()) resolve(isGoodHere(signed));
      this.#waiting.clear();
    });
    // Behind the listeners: one for messages would hold the process again.
    this.#worker.unref();
  }

  ask(signed: Signed): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const id = this.#nextId;
    this.#nextId += 1;
    this.#waiting.set(id, { signed, resolve });
    // A check under way must not be cut off by the end of everything else.
    this.#worker.ref();
    const question: SignatureQuestion = { id, signed };
    this.#worker.postMessage(question);
    return promise;
  }

  #forget(id: number): void {
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
  }
}

async function isGoodHere(signed: Signed): Promise<boolean> {
  // Half a megabyte of code that the main thread otherwise does without.
  const { openBls } = await import('@cannery/bls');
  const { isGoodSignature } = await openBls();
  return isGoodSignature(...signed);
}

/** Whether a signature of a message fits a key. */
type Verify = (...signed: Signed) => Promise<boolean>;

/** More than the certificates under way at a time. */
const KEPT = 256;

/**
 * A check that does not repeat itself. The network signs its state once for all calls of a round, and mainnet's
 * certificates carry the same delegation for long; a check takes about 6 ms of processor time.
 */
export function verifyOnce(verify: Verify): Verify {
  const known = new Map<string, Promise<boolean>>();
  return (...signed) => {
    const name = nameOf(signed);
    const kept = known.get(name);
    if (kept !== undefined) return kept;
    const check = verify(...signed);
    known.set(name, check);
    const forget = (): unknown => known.delete(name);
    check.then((isGood) => isGood || forget(), forget);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    return check;
  };
}

/** A hash of fixed length, however long what comes from the network is. */
function nameOf(signed: Signed): string {
  const hash = createHash('sha256');
  for (const bytes of signed) hash.update(`${bytes.length}:`).update(bytes);
  return hash.digest('base64');
}

/** Checks the signature of a certificate. */
export const verifyCertificate = verifyOnce(isGoodInThread);
