import { utf8 } from '@cannery/ic/certification/bytes';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import {
  fixedMapHash,
  hashOfNatural,
  remembered,
} from '@cannery/ic/certification/signatures/representation-hash';
import { type CanisterContent, type Envelope, MAX_NONCE_LENGTH } from './envelope.ts';
import { MAX_PRINCIPAL_LENGTH } from './envelope-fields.ts';

const NAMES = ['request_type', 'canister_id', 'method_name', 'arg', 'sender', 'ingress_expiry'];
const hashOfContent = fixedMapHash(NAMES);
const hashOfContentWithNonce = fixedMapHash([...NAMES, 'nonce']);

/** Names of methods are short; longer ones are left to the general decoder, which knows the limit. */
const MAX_SHORT_TEXT = 255;

/** Heads of CBOR items (RFC 8949, 3.1): the type in the top three bits. */
const [UNSIGNED, BYTES, TEXT, MAP] = [0, 2, 3, 5];
const SELF_DESCRIBED = Buffer.of(0xd9, 0xd9, 0xf7);

const textHash = remembered(
  (text: string) => text,
  (text) => sha256(utf8(text)),
);
const bytesHash = remembered(
  (bytes: Buffer) => bytes.toString('latin1'),
  (bytes) => sha256(bytes),
);

/**
 * Reads the envelope of a query or call of the kind agents send all the time: fields known, no delegation, definite
 * lengths, plain names. Returns undefined for everything else, also for what is wrong: `parseEnvelope` decides.
 */
export function parseSimpleEnvelope(body: Buffer): Envelope<CanisterContent> | undefined {
  const reader = new Reader(body);
  let content: CanisterContent | undefined;
  let requestId: Uint8Array | undefined;
  let publicKey: Uint8Array | undefined;
  let signature: Uint8Array | undefined;
  for (let fields = reader.start(); fields > 0; fields -= 1) {
    const name = reader.text();
    if (name === 'content' && !content) {
      const parsed = parseContent(reader);
      content = parsed?.content;
      requestId = parsed?.requestId;
    } else if (name === 'sender_pubkey' && !publicKey) publicKey = reader.bytes();
    else if (name === 'sender_sig' && !signature) signature = reader.bytes();
    else return undefined;
  }
  if (!content || !requestId || !reader.isComplete) return undefined;
  return { content, requestId, publicKey, signature, delegations: [] };
}

function parseContent(
  reader: Reader,
): { readonly content: CanisterContent; readonly requestId: Uint8Array } | undefined {
  let type: string | undefined;
  let canisterId: Buffer | undefined;
  let method: string | undefined;
  let arg: Buffer | undefined;
  let sender: Buffer | undefined;
  let nonce: Uint8Array | undefined;
  let expiryNanos: bigint | undefined;
  for (let fields = reader.map(); fields > 0; fields -= 1) {
    const name = reader.text();
    if (name === 'request_type' && type === undefined) type = reader.text();
    else if (name === 'canister_id' && !canisterId) canisterId = reader.bytes();
    else if (name === 'method_name' && method === undefined) method = reader.text();
    else if (name === 'arg' && !arg) arg = reader.bytes();
    else if (name === 'sender' && !sender) sender = reader.bytes();
    else if (name === 'nonce' && !nonce) nonce = reader.bytes();
    else if (name === 'ingress_expiry' && expiryNanos === undefined) expiryNanos = reader.natural();
    else return undefined;
  }
  if (type !== 'query' && type !== 'call') return undefined;
  if (!canisterId || method === undefined || !arg || !sender || expiryNanos === undefined) return undefined;
  if (Math.max(canisterId.length, sender.length) > MAX_PRINCIPAL_LENGTH) return undefined;
  if (nonce && nonce.length > MAX_NONCE_LENGTH) return undefined;
  const hashes = [
    textHash(type),
    bytesHash(canisterId),
    textHash(method),
    bytesHash(arg),
    bytesHash(sender),
    hashOfNatural(expiryNanos),
  ];
  return {
    content: { type, canisterId, method, arg, sender, expiryNanos },
    requestId: nonce ? hashOfContentWithNonce([...hashes, sha256(nonce)]) : hashOfContent(hashes),
  };
}

/** Takes items off a message. What is not as expected reads as undefined or zero and makes it incomplete for good. */
class Reader {
  readonly #body: Buffer;
  #at = 0;
  #failed = false;

  constructor(body: Buffer) {
    this.#body = body;
  }

  get isComplete(): boolean {
    return !this.#failed && this.#at === this.#body.length;
  }

  /** Fields of the outermost map, which may be tagged. */
  start(): number {
    if (SELF_DESCRIBED.equals(this.#body.subarray(0, SELF_DESCRIBED.length)))
      this.#at = SELF_DESCRIBED.length;
    return this.map();
  }

  map(): number {
    return this.#length(MAP);
  }

  bytes(): Buffer | undefined {
    const length = this.#length(BYTES);
    const start = this.#at;
    if (this.#failed || start + length > this.#body.length) return this.#fail();
    this.#at += length;
    return this.#body.subarray(start, this.#at);
  }

  /** Plain ASCII; other text is for the general decoder. */
  text(): string | undefined {
    const length = this.#length(TEXT);
    const start = this.#at;
    if (this.#failed || length > MAX_SHORT_TEXT || start + length > this.#body.length) return this.#fail();
    this.#at += length;
    for (let index = start; index < this.#at; index += 1) {
      if ((this.#body[index] ?? 0x80) >= 0x80) return this.#fail();
    }
    return this.#body.toString('latin1', start, this.#at);
  }

  natural(): bigint | undefined {
    if (this.#body[this.#at] === 0x1b && this.#at + 9 <= this.#body.length) {
      this.#at += 9;
      return this.#body.readBigUInt64BE(this.#at - 8);
    }
    const value = this.#length(UNSIGNED);
    return this.#failed ? undefined : BigInt(value);
  }

  /** The number in the head of an item of `type`: a length, a count or the value itself; below 2^32. */
  #length(type: number | undefined): number {
    const head = this.#body[this.#at] ?? 0xff;
    const info = head & 0x1f;
    const digits = info < 24 ? 0 : info < 27 ? 1 << (info - 24) : -1;
    const start = this.#at + 1;
    if (this.#failed || head >> 5 !== type || digits < 0 || start + digits > this.#body.length) {
      this.#failed = true;
      return 0;
    }
    this.#at = start + digits;
    return digits === 0 ? info : this.#body.readUIntBE(start, digits);
  }

  #fail(): undefined {
    this.#failed = true;
    return undefined;
  }
}
