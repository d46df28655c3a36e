import type { AssetFile } from './asset-file.ts';
import type { Operation } from './asset-interface.ts';
import type { RedirectRule } from './redirect-rules.ts';
import type { Header, PresentAsset } from '../replies/listed-asset.ts';
import { MAX_MESSAGE_CONTENT } from './chunk-packer.ts';

/** Operations that belong together: the changes of one asset. */
export interface Step {
  readonly operations: readonly Operation[];
  readonly order: StepOrder;
}

/** Files that pages refer to come first and deletions last, so that no page ever lacks what it needs. */
type StepOrder = 'file' | 'page' | 'rules' | 'deletion';
const ORDERS: readonly StepOrder[] = ['file', 'page', 'rules', 'deletion'];

const MAX_OPERATIONS = 1500;
/** Candid of one operation without its texts, bytes, generously. */
const OPERATION_SIZE = 160;

/** A body that the canister does not have yet, and the ids of the chunks it was sent in. */
export interface SentContent {
  readonly encoding: string;
  /** Hex. */
  readonly sha256: string;
  readonly chunkIds: bigint[];
}

/** Whether the asset has to be made again: its content type cannot be changed. */
export function mustRecreate(file: AssetFile, present: PresentAsset): boolean {
  return present.contentType !== file.contentType;
}

/** What turns `present` into `file`, given the bodies that were sent and the encodings that are to stay. */
export function stepFor(
  file: AssetFile,
  present: PresentAsset | undefined,
  sent: readonly SentContent[],
  wanted: ReadonlySet<string>,
): Step | undefined {
  const operations: Operation[] = [];
  const fresh = present === undefined || mustRecreate(file, present);
  if (fresh) {
    if (present !== undefined) operations.push({ DeleteAsset: { key: file.key } });
    operations.push(creation(file));
  } else {
    const gone = [...present.hashes.keys()].filter((encoding) => !wanted.has(encoding));
    operations.push(
      ...gone.map((encoding) => ({ UnsetAssetContent: { key: file.key, content_encoding: encoding } })),
    );
    if (!sameProperties(file, present)) operations.push(propertyChange(file));
  }
  for (const { encoding, sha256, chunkIds } of sent) {
    const hash = Uint8Array.from(Buffer.from(sha256, 'hex'));
    operations.push({
      SetAssetContent: { key: file.key, content_encoding: encoding, chunk_ids: chunkIds, sha256: [hash] },
    });
  }
  if (operations.length === 0) return undefined;
  return {
    operations,
    order: file.contentType.startsWith('text/html') ? 'page' : 'file',
  };
}

export function deletionStep(key: string): Step {
  return { operations: [{ DeleteAsset: { key } }], order: 'deletion' };
}

/** Puts redirect rules instead of those that the canister has. */
export function rulesStep(rules: readonly RedirectRule[]): Step {
  return { operations: [{ SetRedirectRules: { rules } }], order: 'rules' };
}

function creation(file: AssetFile): Operation {
  return {
    CreateAsset: {
      key: file.key,
      content_type: file.contentType,
      max_age: file.maxAge === undefined ? [] : [BigInt(file.maxAge)],
      headers: file.headers === undefined ? [] : [[...file.headers]],
      enable_aliasing: file.enableAliasing === undefined ? [] : [file.enableAliasing],
      allow_raw_access: file.allowRawAccess === undefined ? [] : [file.allowRawAccess],
    },
  };
}

function propertyChange(file: AssetFile): Operation {
  return {
    SetAssetProperties: {
      key: file.key,
      max_age: [file.maxAge === undefined ? [] : [BigInt(file.maxAge)]],
      headers: [file.headers === undefined ? [] : [[...file.headers]]],
      is_aliased: [file.enableAliasing === undefined ? [] : [file.enableAliasing]],
      allow_raw_access: [file.allowRawAccess === undefined ? [] : [file.allowRawAccess]],
    },
  };
}

function sameProperties(file: AssetFile, present: PresentAsset): boolean {
  const age = file.maxAge === undefined ? undefined : BigInt(file.maxAge);
  return (
    age === present.maxAge &&
    file.enableAliasing === present.isAliased &&
    file.allowRawAccess === present.allowRawAccess &&
    headerText(file.headers ?? []) === headerText(present.headers)
  );
}

/** Some asset canisters keep the cookie they set on pages among the headers; it is theirs, not ours. */
function headerText(headers: readonly Header[]): string {
  const own = headers.filter(([name]) => name.toLowerCase() !== 'set-cookie');
  return JSON.stringify(own.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function textSize(operation: Operation): number {
  const [fields] = Object.values(operation);
  return Buffer.byteLength(
    JSON.stringify(fields, (_key, value: unknown) => (typeof value === 'bigint' ? '0' : value)),
  );
}

/** Puts steps into as few commits as the limits of a message allow, in an order that keeps the site whole. */
export function commitsOf(steps: readonly Step[]): Operation[][] {
  const commits: Operation[][] = [];
  let commit: Operation[] = [];
  let size = 0;
  for (const step of ORDERS.flatMap((order) => steps.filter((each) => each.order === order))) {
    const stepSize = step.operations.reduce(
      (sum, operation) => sum + OPERATION_SIZE + textSize(operation),
      0,
    );
    const full =
      commit.length + step.operations.length > MAX_OPERATIONS || size + stepSize > MAX_MESSAGE_CONTENT;
    if (full && commit.length > 0) {
      commits.push(commit);
      [commit, size] = [[], 0];
    }
    commit.push(...step.operations);
    size += stepSize;
  }
  if (commit.length > 0) commits.push(commit);
  return commits;
}
