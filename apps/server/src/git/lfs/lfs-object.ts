/** An object of Git LFS, as pointers and requests name it. */
export interface LfsObject {
  /** SHA-256 of its bytes: 64 hexadecimal digits in lower case. */
  readonly oid: string;
  /** Bytes. */
  readonly size: number;
}

/** An object at its turn: what its bytes can be read from, or why it cannot be had. */
export interface FoundObject {
  readonly object: LfsObject;
  readonly found: { readonly read: () => AsyncIterable<Uint8Array> } | { readonly cause: string };
}

/** Where a build gets objects from. */
export interface LfsSource {
  /**
   * Each of the objects, in their order. An object is to be read before the next one is asked for.
   * @throws the reason of the signal
   */
  objects(wanted: readonly LfsObject[], signal: AbortSignal): AsyncIterable<FoundObject>;
}

/** Most bytes of one object, as of one push. */
export const OBJECT_LIMIT = 512 * 1024 * 1024;

const OID = /^[0-9a-f]{64}$/;

/** Whether a text may be the id of an object. */
export function isOid(text: string): boolean {
  return OID.test(text);
}
