import type { Budget } from '@cannery/ic/budget';
import { treeFromCbor } from '@cannery/ic/certification/tree/cbor';
import { CborError, CborReader } from '@cannery/ic/certification/tree/cbor-reader';
import { type HashTree, hashOf } from '@cannery/ic/certification/tree/hash-tree';
import { VerificationError } from './verification-error.ts';

/** The decoded `IC-Certificate` header. */
export interface CertificateHeader {
  readonly stateTree: HashTree;
  readonly stateRootHash: Uint8Array;
  /** 48 bytes. */
  readonly signature: Uint8Array;
  /** The canister's own tree, whose root is its certified data. */
  readonly tree: HashTree;
  readonly treeRootHash: Uint8Array;
  readonly version: number;
  /** Version 2 only. */
  readonly expressionPath: readonly string[] | undefined;
}

const SIGNATURE_BYTES = 48;
/** `certificate`, `tree`, `version` and `expr_path`, and room for fields to come. */
const MAX_FIELDS = 16;

/**
 * Reads the header; nothing of it is kept. Throws `VerificationError` when it is not as the gateway protocol describes
 * it, and `BudgetError`.
 */
export function parseCertificateHeader(value: string, budget: Budget): CertificateHeader {
  const fields = fieldsOf(value);
  try {
    const certificate = Object(read(fields, 'certificate', budget)) as Record<string, unknown>;
    const signature = certificate['signature'];
    if (!(signature instanceof Uint8Array) || signature.length !== SIGNATURE_BYTES) {
      throw new CborError('the certificate has no signature');
    }
    if (certificate['delegation'] !== undefined) throw new CborError('it is a certificate of another subnet');
    const stateTree = treeFromCbor(certificate['tree']);
    const tree = treeFromCbor(read(fields, 'tree', budget));
    return {
      stateTree,
      stateRootHash: hashOf(stateTree),
      signature,
      tree,
      treeRootHash: hashOf(tree),
      version: Number(fields.get('version') ?? '1'),
      expressionPath: fields.has('expr_path') ? textList(read(fields, 'expr_path', budget)) : undefined,
    };
  } catch (error) {
    if (error instanceof CborError) {
      throw new VerificationError(`the IC-Certificate header is damaged: ${error.message}`);
    }
    throw error;
  }
}

/** The fields of the header, `name=value` or `name=:value:` between commas. */
function fieldsOf(value: string): ReadonlyMap<string, string> {
  return new Map(
    value.split(',', MAX_FIELDS).map((field) => {
      const trimmed = field.trim();
      const at = trimmed.indexOf('=');
      const name = at < 0 ? trimmed : trimmed.slice(0, at);
      const start = at < 0 ? trimmed.length : at + 1;
      const isFenced = trimmed.startsWith(':', start) && trimmed.length > start + 1 && trimmed.endsWith(':');
      return [name, isFenced ? trimmed.slice(start + 1, -1) : trimmed.slice(start)] as const;
    }),
  );
}

function read(fields: ReadonlyMap<string, string>, name: string, budget: Budget): unknown {
  const text = fields.get(name);
  if (!text) throw new VerificationError(`the IC-Certificate header has no ${name}`);
  const reader = new CborReader(Buffer.from(text, 'base64'), budget);
  const value = reader.value(false);
  reader.end();
  return value;
}

function textList(value: unknown): string[] {
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value;
  throw new CborError('expr_path is not a list of texts');
}
