import { CborError, decodeCbor } from '../certification/cbor.ts';
import { hashOfMap, UnhashableValueError } from '../certification/representation-hash.ts';
import { MAX_METHOD_NAME_BYTES } from '../limits.ts';
import type { Delegation } from './delegation.ts';
import {
  arrayField,
  bytesField,
  type Fields,
  mapOf,
  natField,
  optionalBytesField,
  principalField,
  textField,
} from './fields.ts';
import { badRequest } from './request-error.ts';

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

export type RequestContent = CanisterContent | ReadStateContent;

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

/** Reads the envelope of a request. Throws `RequestError` 400 that says what is wrong with it. */
export function parseEnvelope(body: Uint8Array): Envelope {
  try {
    const envelope = mapOf(decodeCbor(body), 'the request');
    const content = mapOf(envelope['content'], 'field content');
    return {
      content: parseContent(content),
      requestId: hashOfMap(content),
      publicKey: optionalBytesField(envelope, 'sender_pubkey'),
      signature: optionalBytesField(envelope, 'sender_sig'),
      delegations: parseDelegations(envelope),
      ...(content['sender_info'] !== undefined && { senderInfo: parseSenderInfo(content['sender_info']) }),
    };
  } catch (error) {
    if (error instanceof CborError || error instanceof UnhashableValueError) throw badRequest(error.message);
    // Hashing goes as deep as the values do.
    if (error instanceof RangeError) throw badRequest('the request is nested too deeply');
    throw error;
  }
}

function parseContent(content: Fields): RequestContent {
  const nonce = optionalBytesField(content, 'nonce');
  if (nonce && nonce.length > MAX_NONCE_LENGTH) {
    throw badRequest(
      `Nonce in request is too big: got ${nonce.length} bytes, but at most ${MAX_NONCE_LENGTH} are allowed.`,
    );
  }
  const common = {
    sender: principalField(content, 'sender'),
    expiryNanos: natField(content, 'ingress_expiry'),
  };
  const type = textField(content, 'request_type');
  if (type === 'read_state') return { ...common, type, paths: parsePaths(content) };
  if (type !== 'call' && type !== 'query') throw badRequest(`unknown request_type "${type}"`);
  const method = textField(content, 'method_name');
  if (Buffer.byteLength(method) > MAX_METHOD_NAME_BYTES) {
    throw badRequest(`field method_name is longer than ${MAX_METHOD_NAME_BYTES} bytes`);
  }
  return {
    ...common,
    type,
    canisterId: principalField(content, 'canister_id'),
    method,
    arg: bytesField(content, 'arg'),
  };
}

function parsePaths(content: Fields): Uint8Array[][] {
  const paths = arrayField(content, 'paths');
  if (paths.length > MAX_PATHS) {
    throw badRequest(
      `Too many paths in read state request: got ${paths.length} paths, but at most ${MAX_PATHS} are allowed.`,
    );
  }
  return paths.map((path) => {
    if (!Array.isArray(path) || !path.every((label) => label instanceof Uint8Array)) {
      throw badRequest('each path must be an array of bytes');
    }
    if (path.length > MAX_LABELS) {
      throw badRequest(
        `At least one path in read state request is too deep: got ${path.length} labels, but at most ${MAX_LABELS} are allowed.`,
      );
    }
    return path;
  });
}

function parseSenderInfo(value: unknown): SenderInfo {
  const fields = mapOf(value, 'field sender_info');
  return {
    info: bytesField(fields, 'info'),
    signer: principalField(fields, 'signer'),
    signature: bytesField(fields, 'sig'),
  };
}

function parseDelegations(envelope: Fields): Delegation[] {
  if (envelope['sender_delegation'] === undefined) return [];
  return arrayField(envelope, 'sender_delegation').map((entry) => {
    const signed = mapOf(entry, 'each delegation');
    const fields = mapOf(signed['delegation'], 'field delegation');
    return {
      publicKey: bytesField(fields, 'pubkey'),
      expiryNanos: natField(fields, 'expiration'),
      targets: parseTargets(fields),
      queriesOnly: parsePermissions(fields) === 'queries',
      hash: hashOfMap(fields),
      signature: bytesField(signed, 'signature'),
    };
  });
}

function parseTargets(fields: Fields): Uint8Array[] | undefined {
  if (fields['targets'] === undefined) return undefined;
  const targets = arrayField(fields, 'targets');
  return targets.map((_, index) => principalField({ target: targets[index] }, 'target'));
}

function parsePermissions(fields: Fields): string {
  const permissions = fields['permissions'] === undefined ? 'all' : textField(fields, 'permissions');
  if (permissions === 'all' || permissions === 'queries') return permissions;
  throw badRequest(`unknown delegation permissions "${permissions}"`);
}
