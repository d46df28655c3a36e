import { CandidError } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { AppError } from '../../errors.ts';
import type { IcClient } from '../ic-client.ts';
import type { PresentAsset } from '../replies/listed-asset.ts';
import { readItems } from '../replies/read-reply.ts';

const ListArgument = IDL.Record({ start: IDL.Opt(IDL.Nat), length: IDL.Opt(IDL.Nat) });

/** What one listing of a canister may take, whoever wrote its code. */
export interface ListLimits {
  readonly assets: number;
  /** Of all replies together. */
  readonly bytes: number;
  readonly timeoutMs: number;
}

/** Twice the most files of a site unless the operator allows more (SITE_MAX_FILES). */
const MOST_ASSETS = 40_000;
/** Of a listed asset, with long headers. */
const BYTES_OF_ASSET = 800;
/** The list of 20,000 files comes in 200 pages, within some seconds. */
const TIMEOUT_MS = 120_000;
/** Pages that may be small, and assets that the others have on an average; asset canisters answer with 100 and more. */
const SMALL_PAGES = 16;
const ASSETS_OF_PAGE = 50;

/** @param assets most assets of the listing */
export function listLimits(assets = MOST_ASSETS): ListLimits {
  return { assets, bytes: assets * BYTES_OF_ASSET, timeoutMs: TIMEOUT_MS };
}

/**
 * Everything an asset canister has, by key. A second controller may have given it code that lists without end: each page
 * must have something new, and pages, assets, bytes and time are bounded.
 * @throws AppError network_rejected for a reply that is no list or a list beyond the limits; what the client throws; the
 * signal's reason
 */
export async function listAssets(
  client: Pick<IcClient, 'query'>,
  { canisterId, limits, signal }: { canisterId: string; limits: ListLimits; signal: AbortSignal | undefined },
): Promise<Map<string, PresentAsset>> {
  const present = new Map<string, PresentAsset>();
  const giveUpAt = performance.now() + limits.timeoutMs;
  let bytes = 0;
  for (let pages = 0; ; pages += 1) {
    const start = present.size;
    if (pages > SMALL_PAGES + start / ASSETS_OF_PAGE) throw tooLarge('it comes in too many pages');
    if (performance.now() > giveUpAt) throw tooLarge(`it took longer than ${limits.timeoutMs / 1000} s`);
    const reply = await client.query(canisterId, 'list', pageAfter(start));
    signal?.throwIfAborted();
    bytes += reply.length;
    if (bytes > limits.bytes) throw tooLarge(`it has more than ${limits.bytes} bytes`);
    await asAssetCanister(() =>
      readItems({ kind: 'assets', reply, canisterId, signal }, (assets) => {
        for (const [key, asset] of assets) present.set(key, asset);
        if (present.size > limits.assets) throw tooLarge(`it has more than ${limits.assets} files`);
      }),
    );
    // An older asset canister ignores `start` and repeats itself: then nothing was new.
    if (present.size === start) return present;
  }
}

function pageAfter(start: number): Uint8Array {
  return new Uint8Array(IDL.encode([ListArgument], [{ start: [BigInt(start)], length: [] }]));
}

function tooLarge(problem: string): AppError {
  return new AppError('network_rejected', `The list of the canister's files is too large: ${problem}.`);
}

/** Its owner may have put any code into the canister, so its answer may be of another type. */
export async function asAssetCanister<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    throw new AppError('network_rejected', 'The canister does not answer as an asset canister does.', {
      detail: error.message,
      cause: error,
    });
  }
}
