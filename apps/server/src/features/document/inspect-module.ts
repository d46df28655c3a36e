import { userTenant } from '../../fairness/callers.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { runInThread, ThreadError } from '../../thread/run-in-thread.ts';
import { NOT_WASM } from './wasm-module.ts';

/** What is known of a module by its bytes alone. */
export interface ModuleFacts {
  /** Bytes as uploaded. */
  readonly size: number;
  readonly unpackedSize: number;
  /** SHA-256 of the unpacked bytes, hex. */
  readonly unpackedSha256: string;
  /** Names of the functions it exports for the network: all that begin with `canister_`. */
  readonly exports: readonly string[];
  /** Its Candid interface; metadata `candid:service`. */
  readonly candid: string | null;
  /** Its install arguments as Candid types; metadata `candid:args`. */
  readonly candidArgs: string | null;
  /** The types of its stable variables, as Motoko modules tell them; metadata `motoko:stable-types`. */
  readonly stableTypes: string | null;
  /** Whether upgrades keep its main memory, and from it to it only. */
  readonly keepsMemory: boolean;
  /** What its owner should know, a sentence each. */
  readonly warnings: readonly string[];
}

/** What the thread answers: facts, or why no network takes the bytes. */
export type Inspection =
  | { readonly facts: ModuleFacts }
  | { readonly refusal: 'no module' | 'no canister'; readonly reason: string };

/** Memory of the thread for objects, in MB; the bytes of the module come on top. */
const HEAP_MB = 512;
const TIMEOUT_MS = 30_000;

/** One module at a time: it is in memory packed and unpacked, and so is what the check makes of it. */
const turns = new FairSemaphore({ most: 1, perTenant: 1, waitingPerTenant: 4, what: 'modules' });

/**
 * Checks a module as the embedded network does, and says what it tells of itself. Done in a thread with bounds.
 * @param read gives the bytes as uploaded; asked for when it is the module's turn
 * @throws AppError invalid_wasm with the reason in its detail
 */
export async function inspectUpload(user: Actor, read: () => Promise<Buffer>): Promise<ModuleFacts> {
  const inspection = await turns.take(userTenant(user.id), async () => runInspection(await read()));
  if ('facts' in inspection) return inspection.facts;
  throw new AppError(
    'invalid_wasm',
    inspection.refusal === 'no module' ? NOT_WASM : 'This module cannot be installed in a canister.',
    { detail: inspection.reason },
  );
}

async function runInspection(bytes: Buffer): Promise<Inspection> {
  try {
    return await runInThread<Inspection>({
      module: new URL('./inspect-worker.ts', import.meta.url),
      request: bytes,
      heapMegabytes: HEAP_MB,
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    throw new AppError('invalid_wasm', 'This module is too complex to be checked.', {
      detail: `The check was ended: ${error.message}.`,
      cause: error,
    });
  }
}
