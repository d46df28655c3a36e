import { Budget, type Limits } from '@cannery/ic/budget';
import { CborError, CborReader } from '@cannery/ic/certification/tree/cbor-reader';
import { UnhashableValueError } from '@cannery/ic/certification/signatures/representation-hash';
import { MAX_METHOD_NAME_BYTES } from '@cannery/ic/limits';
import type { Delegation } from './delegation.ts';
import {
  bytesOf,
  type Fields,
  listOf,
  mapOf,
  naturalField,
  principalField,
  type ReadField,
  shortBytes,
  shortText,
} from './envelope-fields.ts';
import { MAX_KEY_BYTES, MAX_SIGNATURE_BYTES } from './key-limits.ts';
import { badRequest } from '../transport/request-error.ts';

interface CommonContent {
  readonly sender: Uint8Array;
  /** Unix time in nanoseconds. */
  readonly expiryNanos: bigint;
}

/** What is asked of a canister. */
export interface CanisterContent extends CommonContent {
  readonly type: 'call' | 'query';
  readonly canisterId: Uint8Array;
  readonly method: string;
  readonly arg: Uint8Array;
}

/** What is asked of the state tree. */
export interface ReadStateContent extends CommonContent {
  readonly type: 'read_state';
  readonly paths: readonly (readonly Uint8Array[])[];
}

type RequestContent = CanisterContent | ReadStateContent;

/** What a canister says about a sender that signs by it (field `sender_info`), not yet verified. */
export interface SenderInfo {
  readonly info: Uint8Array;
  readonly signer: Uint8Array;
  readonly signature: Uint8Array;
}

/** A request as it came in, well formed but not yet authenticated. */
export interface Envelope<Content extends RequestContent = RequestContent> {
  readonly content: Content;
  readonly requestId: Uint8Array;
  readonly publicKey: Uint8Array | undefined;
  readonly signature: Uint8Array | undefined;
  readonly delegations: readonly Delegation[];
  readonly senderInfo?: SenderInfo;
}

/** Limits of the interface specification ("Request: Read state", "Authentication"). */
const MAX_PATHS = 1000;
const MAX_LABELS = 127;
export const MAX_NONCE_LENGTH = 32;
/** Longest word for what is asked and for what a delegation permits, in bytes; the words themselves are shorter. */
const MAX_WORD_BYTES = 64;

/**
 * What reading a request may cost: a thousand paths of ten labels, or twenty delegations to some hundred canisters each.
 * Its bytes are bounded when they come in. Nothing in a request is nested deeper than a target of a delegation.
 */
const ENVELOPE_LIMITS: Limits = { values: 12_000, depth: 6, bytes: 4 * 1024 * 1024 };

const pathField: ReadField<readonly Uint8Array[]> = (reader, name) => {
  if (reader.kind() !== 'array') throw badRequest('each path must be an array of bytes');
  return listOf(labelField, (count) => {
    if (count <= MAX_LABELS) return;
    throw badRequest(
      `At least one path in read state request is too deep: got ${count} labels, but at most ${MAX_LABELS} are allowed.`,
    );
  })(reader, name);
};

const labelField: ReadField<Uint8Array> = (reader, name) => {
  if (reader.kind() !== 'bytes') throw badRequest('each path must be an array of bytes');
  return bytesOf()(reader, name);
};

const contentField = mapOf({
  request_type: shortText(MAX_WORD_BYTES),
  sender: principalField,
  ingress_expiry: naturalField,
  nonce: bytesOf(({ length }) => {
    if (length <= MAX_NONCE_LENGTH) return;
    throw badRequest(
      `Nonce in request is too big: got ${length} bytes, but at most ${MAX_NONCE_LENGTH} are allowed.`,
    );
  }),
  canister_id: principalField,
  method_name: shortText(MAX_METHOD_NAME_BYTES),
  arg: bytesOf(),
  paths: listOf(pathField, (count) => {
    if (count <= MAX_PATHS) return;
    throw badRequest(
      `Too many paths in read state request: got ${count} paths, but at most ${MAX_PATHS} are allowed.`,
    );
  }),
  sender_info: mapOf({ info: bytesOf(), signer: principalField, sig: shortBytes(MAX_SIGNATURE_BYTES) }),
});

const delegationField = mapOf({
  pubkey: shortBytes(MAX_KEY_BYTES),
  expiration: naturalField,
  targets: listOf((reader) => principalField(reader, 'target')),
  permissions: shortText(MAX_WORD_BYTES),
});

/** The hash of a delegation is what was signed. */
const hashedDelegationField = withHash(delegationField);

const signedDelegationField = mapOf(
  { delegation: hashedDelegationField, signature: shortBytes(MAX_SIGNATURE_BYTES) },
  'each delegation',
);

/** The hash of the content is the id of the request. */
const hashedContentField = withHash(contentField);

const envelopeField = mapOf(
  {
    content: hashedContentField,
    sender_pubkey: shortBytes(MAX_KEY_BYTES),
    sender_sig: shortBytes(MAX_SIGNATURE_BYTES),
    sender_delegation: listOf(signedDelegationField),
  },
  'the CBOR of the request',
);

/** A map together with its hash. */
interface HashedFields {
  readonly fields: Fields;
  readonly hash: Uint8Array;
}

function withHash(read: ReadField<Fields>): ReadField<HashedFields> {
  return (reader, name) => {
    const { value, hash } = read(reader, name);
    return { value: { fields: value, hash }, hash };
  };
}

/**
 * Reads the envelope of a request: exactly its shape, and no value that has no place in it. Throws `RequestError` 400 that
 * says what is wrong with it.
 */
export function parseEnvelope(body: Uint8Array): Envelope {
  try {
    const reader = new CborReader(body, new Budget(ENVELOPE_LIMITS));
    const { value } = envelopeField(reader, 'the CBOR of the request');
    reader.end();
    return envelopeOf(value);
  } catch (error) {
    if (error instanceof CborError || error instanceof UnhashableValueError) throw badRequest(error.message);
    throw error;
  }
}

function envelopeOf(envelope: Fields): Envelope {
  const content = envelope['content'] as HashedFields | undefined;
  if (!content) throw badRequest('field content must be a map');
  const { fields } = content;
  const senderInfo = fields['sender_info'] as Fields | undefined;
  const delegations = (envelope['sender_delegation'] ?? []) as readonly Fields[];
  return {
    content: contentOf(fields),
    requestId: content.hash,
    publicKey: envelope['sender_pubkey'] as Uint8Array | undefined,
    signature: envelope['sender_sig'] as Uint8Array | undefined,
    delegations: delegations.map(delegationOf),
    ...(senderInfo && {
      senderInfo: {
        info: needed<Uint8Array>(senderInfo, 'info', 'bytes'),
        signer: needed<Uint8Array>(senderInfo, 'signer', 'bytes'),
        signature: needed<Uint8Array>(senderInfo, 'sig', 'bytes'),
      },
    }),
  };
}

function contentOf(fields: Fields): RequestContent {
  const common = {
    sender: needed<Uint8Array>(fields, 'sender', 'bytes'),
    expiryNanos: needed<bigint>(fields, 'ingress_expiry', 'a natural number'),
  };
  const type = needed<string>(fields, 'request_type', 'text');
  if (type === 'read_state') {
    return {
      ...common,
      type,
      paths: needed<readonly (readonly Uint8Array[])[]>(fields, 'paths', 'an array'),
    };
  }
  if (type !== 'call' && type !== 'query') throw badRequest(`unknown request_type "${type}"`);
  return {
    ...common,
    type,
    canisterId: needed<Uint8Array>(fields, 'canister_id', 'bytes'),
    method: needed<string>(fields, 'method_name', 'text'),
    arg: needed<Uint8Array>(fields, 'arg', 'bytes'),
  };
}

function delegationOf(signed: Fields): Delegation {
  const delegation = signed['delegation'] as HashedFields | undefined;
  if (!delegation) throw badRequest('field delegation must be a map');
  const { fields, hash } = delegation;
  const permissions = fields['permissions'] ?? 'all';
  if (permissions !== 'all' && permissions !== 'queries') {
    throw badRequest(`unknown delegation permissions "${String(permissions)}"`);
  }
  return {
    publicKey: needed<Uint8Array>(fields, 'pubkey', 'bytes'),
    expiryNanos: needed<bigint>(fields, 'expiration', 'a natural number'),
    targets: fields['targets'] as readonly Uint8Array[] | undefined,
    queriesOnly: permissions === 'queries',
    hash,
    signature: needed<Uint8Array>(signed, 'signature', 'bytes'),
  };
}

/** A field that must be there; its kind was checked when it was read. */
function needed<T>(fields: Fields, name: string, kind: string): T {
  const value = fields[name];
  if (value === undefined) throw badRequest(`field ${name} must be ${kind}`);
  return value as T;
}
