import { CborError, decodeCbor, treeFromCbor } from '../certification/cbor.ts';
import { type HashTree, hashOf } from '../certification/hash-tree.ts';
import { VerificationError } from './verification-error.ts';

/** The decoded `IC-Certificate` header. */
export interface CertificateHeader {
  readonly stateTree: HashTree;
  readonly stateRootHash: Uint8Array;
  readonly signature: Uint8Array;
  /** The canister's own tree, whose root is its certified data. */
  readonly tree: HashTree;
  readonly treeRootHash: Uint8Array;
  readonly version: number;
  /** Version 2 only. */
  readonly expressionPath: readonly string[] | undefined;
}

/** Files of one site come with the same few headers for as long as a certificate is reused. */
const MAX_REMEMBERED = 256;
const remembered = new Map<string, CertificateHeader>();

/** Throws `VerificationError` when the header is not as the gateway protocol describes it. */
export function parseCertificateHeader(value: string): CertificateHeader {
  const known = remembered.get(value);
  if (known) return known;
  const header = parse(value);
  const oldest = remembered.keys().next().value;
  if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(value, header);
  return header;
}

function parse(value: string): CertificateHeader {
  const fields = new Map(
    value.split(',').map((field) => {
      const [name = '', ...rest] = field.trim().split('=');
      return [name, rest.join('=').replace(/^:|:$/g, '')] as const;
    }),
  );
  try {
    const certificate = decodeCbor(bytes(fields, 'certificate')) as Record<string, unknown>;
    const signature = certificate['signature'];
    if (!(signature instanceof Uint8Array)) throw new CborError('the certificate has no signature');
    if (certificate['delegation'] !== undefined) throw new CborError('it is a certificate of another subnet');
    const stateTree = treeFromCbor(certificate['tree']);
    const tree = treeFromCbor(decodeCbor(bytes(fields, 'tree')));
    return {
      stateTree,
      stateRootHash: hashOf(stateTree),
      signature,
      tree,
      treeRootHash: hashOf(tree),
      version: Number(fields.get('version') ?? '1'),
      expressionPath: fields.has('expr_path') ? textList(decodeCbor(bytes(fields, 'expr_path'))) : undefined,
    };
  } catch (error) {
    if (error instanceof CborError) {
      throw new VerificationError(`the IC-Certificate header is damaged: ${error.message}`);
    }
    throw error;
  }
}

function bytes(fields: ReadonlyMap<string, string>, name: string): Uint8Array {
  const text = fields.get(name);
  if (!text) throw new VerificationError(`the IC-Certificate header has no ${name}`);
  return Buffer.from(text, 'base64');
}

function textList(value: unknown): string[] {
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value;
  throw new CborError('expr_path is not a list of texts');
}
