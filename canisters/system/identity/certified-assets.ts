import { utf8 } from '@cannery/ic/certification/bytes';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { encodeCbor, treeToCbor } from '@cannery/ic/certification/tree/cbor';
import { hashOf, type HashTree, labeled, leaf } from '@cannery/ic/certification/tree/hash-tree';
import { directoryOf } from '@cannery/ic/certification/tree/tree-directory';

/** One file of the page, at `path`; `<*>` is what every other path answers. */
export interface Asset {
  readonly path: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

const EMPTY_LEAF = leaf(new Uint8Array());
const WILDCARD = '<*>';

/** The labels below which the answer of a path is (HTTP gateway protocol, "Response Verification v2"). */
function expressionPath(path: string): readonly string[] {
  return path === WILDCARD ? ['http_expr', WILDCARD] : ['http_expr', ...path.slice(1).split('/'), '<$>'];
}

/** All headers of an answer are certified, by names: none can be left out or changed. */
function expressionOf({ headers }: Asset): string {
  const names = headers.map(([name]) => `"${name}"`).join(',');
  return `default_certification(ValidationArgs{certification:Certification{no_request_certification:Empty{},response_certification:ResponseCertification{certified_response_headers:ResponseHeaderList{headers:[${names}]}}}})`;
}

function hashOfFields(fields: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  const hashed = fields.map(([key, valueHash]) => Buffer.concat([sha256(utf8(key)), valueHash]));
  return sha256(...hashed.sort(Buffer.compare));
}

function leb128(number: number): Uint8Array {
  const bytes: number[] = [];
  let rest = number;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}

function responseHash(asset: Asset, expression: string): Uint8Array {
  const headers = hashOfFields([
    ...asset.headers.map(([name, value]) => [name.toLowerCase(), sha256(utf8(value))] as const),
    ['ic-certificateexpression', sha256(utf8(expression))],
    [':ic-cert-status', sha256(leb128(asset.status))],
  ]);
  return sha256(headers, sha256(asset.body));
}

type Directory = Map<string, Directory | HashTree>;

function toTree(directory: Directory): HashTree {
  return directoryOf(
    [...directory].map(([label, entry]) => [
      Buffer.from(label, 'latin1'),
      entry instanceof Map ? toTree(entry) : entry,
    ]),
  );
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Below `http_expr`: each path, then the hashes of expression, request and response. */
function treeOf(assets: readonly Asset[]): HashTree {
  const root: Directory = new Map();
  for (const asset of assets) {
    const expression = expressionOf(asset);
    const labels = [
      ...expressionPath(asset.path).slice(1),
      latin1(sha256(utf8(expression))),
      '',
      latin1(responseHash(asset, expression)),
    ];
    let at = root;
    for (const label of labels.slice(0, -1)) {
      const below = at.get(label) ?? new Map();
      at.set(label, below);
      at = below as Directory;
    }
    at.set(labels.at(-1) ?? '', EMPTY_LEAF);
  }
  return labeled(utf8('http_expr'), toTree(root));
}

/** A value of Motoko: bytes as a blob. */
function blob(bytes: Uint8Array): string {
  return `"${Array.from(bytes, (byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')}"`;
}

function text(value: string): string {
  return JSON.stringify(value);
}

function moduleOf(asset: Asset): string {
  const headers = [...asset.headers, ['IC-CertificateExpression', expressionOf(asset)] as const];
  const path = Buffer.from(encodeCbor(expressionPath(asset.path))).toString('base64');
  return `{
    path = ${text(asset.path)};
    status = ${asset.status} : Nat16;
    headers = [${headers.map(([name, value]) => `(${text(name)}, ${text(value)})`).join(', ')}] : [(Text, Text)];
    expressionPath = ${text(path)};
    body = ${blob(asset.body)} : Blob;
  }`;
}

/**
 * The source of a module of Motoko that has the files and what is certified of them: nothing of it changes while the canister runs,
 * so that only hashes are left for it to do.
 */
export function certifiedAssets(assets: readonly Asset[]): string {
  const tree = treeOf(assets);
  const absent = assets.find(({ path }) => path === WILDCARD);
  if (!absent) throw new RangeError('Nothing says what an unknown path answers.');
  const [, , ...untagged] = encodeCbor(treeToCbor(tree));
  return `module {
  public type Asset = { path : Text; status : Nat16; headers : [(Text, Text)]; expressionPath : Text; body : Blob };
  /// The hash of what is below http_expr, label included.
  public let hash : Blob = ${blob(hashOf(tree))};
  /// The same tree in CBOR, all of it.
  public let witness : Blob = ${blob(Uint8Array.from(untagged.slice(1)))};
  public let all : [Asset] = [${assets
    .filter((each) => each !== absent)
    .map(moduleOf)
    .join(', ')}];
  public let absent : Asset = ${moduleOf(absent)};
};
`;
}
