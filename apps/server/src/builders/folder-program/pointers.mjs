// Recognises pointers of Git LFS among the files of a commit (git-lfs, docs/spec.md).

/** The most bytes of a pointer, and the fewest. */
const LONGEST = 1_024;
const SHORTEST = 100;
const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n((?:ext-\d-[^\r\n]{1,300}\r?\n){0,10})oid sha256:([0-9a-f]{64})\r?\nsize (\d{1,15})(?:\r?\n)?$/;

/** Whether a file of this size may be a pointer. @param {number} size */
export function mayBePointer(size) {
  return size >= SHORTEST && size <= LONGEST;
}

/**
 * What a pointer says: the id and size of its object, and whether an extension has made it; null for what is no pointer.
 * @param {Buffer} bytes all of a file that `mayBePointer`
 * @returns {[oid: string, size: number, extended: boolean] | null}
 */
export function pointerIn(bytes) {
  const found = POINTER.exec(bytes.toString('latin1'));
  return found === null ? null : [found[2] ?? '', Number(found[3]), found[1] !== ''];
}
