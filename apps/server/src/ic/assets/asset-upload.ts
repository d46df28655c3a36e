import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { NetworkGivenUpError } from '../agent/patience.ts';
import { type AssetFile, encodingsOf } from './asset-file.ts';
import { type AssetCanister, assetCanister, type Operation } from './asset-interface.ts';
import { ChunkPacker } from './chunk-packer.ts';
import {
  commitsOf,
  deletionStep,
  mustRecreate,
  rulesStep,
  type SentContent,
  type Step,
  stepFor,
} from './commit-plan.ts';
import type { IcClient } from '../ic-client.ts';
import { listLimits } from './list-assets.ts';
import { hashOfRules, type RedirectRule } from './redirect-rules.ts';
import type { PresentAsset } from '../replies/listed-asset.ts';

/** How far an upload is. Sizes in bytes. */
interface UploadProgress {
  readonly phase: 'uploading' | 'committing';
  /** Files looked at so far. */
  readonly files: number;
  readonly uploadedFiles: number;
  readonly uploadedBytes: number;
  /** Steps the change is made in, and how many are done. */
  readonly commits: { readonly done: number; readonly all: number };
}

export interface UploadResult {
  /** Files whose content or properties changed, or that are new. */
  readonly changed: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly uploadedBytes: number;
}

export interface UploadOptions {
  readonly client: Pick<IcClient, 'call' | 'query'>;
  readonly canisterId: string;
  readonly files: Iterable<AssetFile> | AsyncIterable<AssetFile>;
  /** What the canister answers for paths without a file; without them it gets none. */
  readonly redirects?: readonly RedirectRule[];
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly signal?: AbortSignal;
  /** Most assets that the canister may list. */
  readonly mostListed?: number;
}

/** Messages with chunks that are on their way at a time. */
const CONCURRENCY = 3;
/** Pauses before the second, third … attempt of a call that failed for a passing reason, milliseconds. */
const PAUSES_MS: readonly number[] = [250, 1000, 3000];
/** How long giving back the space of a failed upload may take, milliseconds. */
const DISCARD_MS = 5_000;
/** Batch id of the commits before the last: it names no batch, so the chunks of the real one stay. */
const NO_BATCH = 0n;

/**
 * Makes an asset canister serve exactly `files`: sends what is new or changed, deletes what is not among them. The
 * site changes in one step where the limits of a message allow, else files first, then pages, then deletions.
 * @throws AppError of the client, with the network's words; `invalid_input` for files that cannot be served.
 */
export async function uploadAssets(options: UploadOptions): Promise<UploadResult> {
  const limits = listLimits(options.mostListed);
  const canister = retrying(assetCanister(options.client, options.canisterId, limits), options.signal);
  const present = await canister.list();
  const { redirects = [] } = options;
  const rules = (await canister.redirectRulesHash()) === hashOfRules(redirects) ? [] : [rulesStep(redirects)];
  const upload = new Upload(canister, present, options.onProgress);
  try {
    for await (const file of options.files) {
      options.signal?.throwIfAborted();
      await upload.add(file);
    }
    return await upload.commit(rules);
  } catch (error) {
    // A canister that does not answer must not keep the caller; it forgets the batch by itself in time.
    await Promise.race([upload.discard(), delay(DISCARD_MS)]);
    throw error;
  }
}

interface PlannedFile {
  readonly file: AssetFile;
  readonly sent: readonly SentContent[];
  readonly wanted: ReadonlySet<string>;
}

class Upload {
  readonly #canister: AssetCanister;
  readonly #present: ReadonlyMap<string, PresentAsset>;
  readonly #onProgress: UploadOptions['onProgress'];
  readonly #planned: PlannedFile[] = [];
  readonly #keys = new Set<string>();
  readonly #packer: ChunkPacker;
  #batch: Promise<bigint> | undefined;
  #uploadedFiles = 0;
  #uploadedBytes = 0;

  constructor(
    canister: AssetCanister,
    present: ReadonlyMap<string, PresentAsset>,
    onProgress: UploadOptions['onProgress'],
  ) {
    this.#canister = canister;
    this.#present = present;
    this.#onProgress = onProgress;
    this.#packer = new ChunkPacker(async (contents) => {
      this.#batch ??= canister.createBatch();
      return canister.createChunks(await this.#batch, contents);
    }, CONCURRENCY);
  }

  async add(file: AssetFile): Promise<void> {
    if (!file.key.startsWith('/'))
      throw new AppError('invalid_input', `The path ${file.key} does not start with a slash.`);
    if (this.#keys.has(file.key))
      throw new AppError('invalid_input', `There are two files for the path ${file.key}.`);
    this.#keys.add(file.key);
    const present = this.#present.get(file.key);
    const known = present === undefined || mustRecreate(file, present) ? undefined : present.hashes;
    const contents = await encodingsOf(file);
    const sent: SentContent[] = [];
    for (const content of contents) {
      if (known?.get(content.encoding) === content.sha256) continue;
      const { encoding, sha256 } = content;
      const bytes = await content.bytes();
      sent.push({ encoding, sha256, chunkIds: await this.#packer.add(bytes) });
      this.#uploadedBytes += bytes.length;
    }
    if (sent.length > 0) this.#uploadedFiles++;
    this.#planned.push({ file, sent, wanted: new Set(contents.map(({ encoding }) => encoding)) });
    this.#report('uploading');
  }

  /** @param others steps beside those of the files */
  async commit(others: readonly Step[]): Promise<UploadResult> {
    await this.#packer.finish();
    const changes = this.#planned
      .map(({ file, sent, wanted }) => stepFor(file, this.#present.get(file.key), sent, wanted))
      .filter((step): step is Step => step !== undefined);
    const gone = [...this.#present.keys()].filter((key) => !this.#keys.has(key));
    const commits = commitsOf([...changes, ...others, ...gone.map(deletionStep)]);
    for (const [index, operations] of commits.entries()) {
      this.#report('committing', { done: index, all: commits.length });
      const last = index === commits.length - 1;
      await this.#canister.commit(last ? await (this.#batch ?? NO_BATCH) : NO_BATCH, operations);
    }
    return {
      changed: changes.length,
      unchanged: this.#planned.length - changes.length,
      deleted: gone.length,
      uploadedBytes: this.#uploadedBytes,
    };
  }

  /** Gives the space of an upload that failed back. A canister that is out of reach forgets it by itself in time. */
  async discard(): Promise<void> {
    await this.#packer.abandon();
    const batch = await this.#batch?.catch(() => undefined);
    if (batch !== undefined) await this.#canister.deleteBatch(batch).catch(() => undefined);
  }

  #report(phase: UploadProgress['phase'], commits: UploadProgress['commits'] = { done: 0, all: 0 }): void {
    this.#onProgress?.({
      phase,
      files: this.#planned.length,
      uploadedFiles: this.#uploadedFiles,
      uploadedBytes: this.#uploadedBytes,
      commits,
    });
  }
}

/** Whether a call may succeed if it is made again: the network was away, or rejected it for a passing reason. */
function isTransient(error: unknown): boolean {
  // Whoever has given the network up has waited for it.
  if (!(error instanceof AppError) || error instanceof NetworkGivenUpError) return false;
  // Reject code 2 is SYS_TRANSIENT of the interface specification.
  return error.code === 'network_unavailable' || /reject code 2\b/.test(error.detail ?? '');
}

/** Waits for a call, but no longer than until the signal fires; the call itself ends at its own limit. */
async function orAborted<T>(call: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return call;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([call, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    promise.catch(() => undefined);
  }
}

/** The canister, with calls repeated that fail for passing reasons. */
function retrying(canister: AssetCanister, signal: AbortSignal | undefined): AssetCanister {
  const attempt = async <T>(
    work: () => Promise<T>,
    afterFailure?: () => Promise<boolean>,
  ): Promise<T | undefined> => {
    for (const pause of PAUSES_MS) {
      try {
        return await orAborted(work(), signal);
      } catch (error) {
        if (!isTransient(error)) throw error;
        await delay(pause, undefined, { signal });
        if (afterFailure !== undefined && (await afterFailure())) return undefined;
      }
    }
    return orAborted(work(), signal);
  };
  const repeat = async <T>(work: () => Promise<T>): Promise<T> => (await attempt(work)) as T;
  const rulesHash = (): Promise<string | undefined> => repeat(() => canister.redirectRulesHash());
  return {
    redirectRulesHash: rulesHash,
    list: () => repeat(() => canister.list(signal)),
    createBatch: () => repeat(() => canister.createBatch()),
    createChunks: (batch, contents) => repeat(() => canister.createChunks(batch, contents)),
    // A commit whose answer got lost may have taken place; making it again would fail.
    commit: async (batch, operations) => {
      await attempt(
        () => canister.commit(batch, operations),
        async () => isDone(operations, await repeat(() => canister.list(signal)), await rulesHash()),
      );
    },
    deleteBatch: (batch) => canister.deleteBatch(batch),
  };
}

function isDone(
  operations: readonly Operation[],
  present: ReadonlyMap<string, PresentAsset>,
  rulesHash: string | undefined,
): boolean {
  const created = new Set(
    operations.flatMap((each) => ('CreateAsset' in each ? [each.CreateAsset.key] : [])),
  );
  return operations.every((operation) => {
    if ('SetAssetContent' in operation) {
      const { key, content_encoding, sha256 } = operation.SetAssetContent;
      const hash = Buffer.from(sha256[0] ?? []).toString('hex');
      return present.get(key)?.hashes.get(content_encoding) === hash;
    }
    if ('SetRedirectRules' in operation) return hashOfRules(operation.SetRedirectRules.rules) === rulesHash;
    if ('DeleteAsset' in operation)
      return created.has(operation.DeleteAsset.key) || !present.has(operation.DeleteAsset.key);
    if ('UnsetAssetContent' in operation) {
      const { key, content_encoding } = operation.UnsetAssetContent;
      return present.get(key)?.hashes.has(content_encoding) !== true;
    }
    return true;
  });
}
