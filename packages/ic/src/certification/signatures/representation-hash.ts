import { encodeLeb128, utf8 } from '../bytes.ts';
import { sha256 } from './hash.ts';

/** Longer values are rarely sent twice, and the key costs more than it saves. */
const LONGEST = 64;
/** At most this many answers are kept, whoever asks; then all are forgotten. */
const MOST = 1000;

/**
 * A pure function that remembers its answers: ids, public keys, names of methods and empty arguments come again and again,
 * and their hashes are the same for everybody. The answers are shared, so nobody may write into them.
 * @param keyOf a text or number that no other value has
 */
export function remembered<Given extends bigint | { readonly length: number }>(
  keyOf: (given: Given) => string | bigint,
  work: (given: Given) => Uint8Array,
): (given: Given) => Uint8Array {
  const answers = new Map<string | bigint, Uint8Array>();
  return (given) => {
    if (typeof given !== 'bigint' && given.length > LONGEST) return work(given);
    const key = keyOf(given);
    const known = answers.get(key);
    if (known) return known;
    const answer = work(given);
    if (answers.size >= MOST) answers.clear();
    answers.set(key, answer);
    return answer;
  };
}

/** A value that the representation-independent hash does not cover. */
export class UnhashableValueError extends Error {
  override readonly name = 'UnhashableValueError';
}

/**
 * The representation-independent hash of a map (interface specification, "hash-of-map"). Of the `content` of a
 * request it is the request id. Properties that are undefined are left out.
 */
export function hashOfMap(map: Readonly<Record<string, unknown>>): Uint8Array {
  return hashOfPairs(Object.entries(map).filter(([, value]) => value !== undefined));
}

/** The same hash for a list of pairs, where a name may come more than once (HTTP headers). */
export function hashOfPairs(pairs: Iterable<readonly [name: string, value: unknown]>): Uint8Array {
  return hashOfHashedPairs([...pairs].map(([name, value]) => [name, hashOfValue(value)]));
}

/** The same hash where those of the values are known. */
export function hashOfHashedPairs(pairs: readonly (readonly [name: string, hash: Uint8Array])[]): Uint8Array {
  const hashed = pairs.map(([name, hash]) => Buffer.concat([sha256(utf8(name)), hash]));
  return sha256(...hashed.sort(Buffer.compare));
}

/**
 * The hash of maps that always have these names, from the hashes of their values in the order of `names`: the names
 * are hashed and sorted once, here.
 */
export function fixedMapHash(names: readonly string[]): (valueHashes: readonly Uint8Array[]) => Uint8Array {
  const fields = names
    .map((name, index) => ({ index, nameHash: sha256(utf8(name)) }))
    .sort((a, b) => Buffer.compare(a.nameHash, b.nameHash));
  const pairs = Buffer.concat(fields.flatMap(({ nameHash }) => [nameHash, new Uint8Array(32)]));
  return (valueHashes) => {
    fields.forEach(({ index }, place) => {
      const value = valueHashes[index];
      if (value) pairs.set(value, place * 64 + 32);
    });
    return sha256(pairs);
  };
}

/**
 * The hash of a natural number. Most are times: of expiry, which agents round to minutes, and of answers, which many share
 * when there are many.
 */
export const hashOfNatural = remembered(
  (value: bigint) => value,
  (value) => sha256(encodeLeb128(value)),
);

function hashOfValue(value: unknown): Uint8Array {
  if (typeof value === 'string') return sha256(utf8(value));
  if (value instanceof Uint8Array) return sha256(value);
  if (typeof value === 'bigint' && value >= 0n) return hashOfNatural(value);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
    return sha256(encodeLeb128(value));
  }
  if (Array.isArray(value)) return sha256(...value.map(hashOfValue));
  if (typeof value === 'object' && value !== null) return hashOfMap(value as Record<string, unknown>);
  throw new UnhashableValueError('only text, bytes, natural numbers, arrays and maps may be hashed');
}
