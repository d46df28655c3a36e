/** Longer values are rarely sent twice, and the key costs more than it saves. */
const LONGEST = 64;
/** At most this many answers are kept, whoever asks; then all are forgotten. */
const MOST = 1000;

/**
 * A pure function of bytes that remembers its answers: ids, public keys and empty arguments come again and again, and their
 * hashes are the same for everybody. The answers are shared, so nobody may write into them.
 */
export function remembered(work: (bytes: Buffer) => Uint8Array): (bytes: Buffer) => Uint8Array {
  const answers = new Map<string, Uint8Array>();
  return (bytes) => {
    if (bytes.length > LONGEST) return work(bytes);
    const key = bytes.toString('latin1');
    const known = answers.get(key);
    if (known) return known;
    const answer = work(bytes);
    if (answers.size >= MOST) answers.clear();
    answers.set(key, answer);
    return answer;
  };
}
