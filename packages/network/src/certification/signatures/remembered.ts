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
