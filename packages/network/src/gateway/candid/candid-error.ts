/** Bytes that are not Candid, or Candid of another type than the HTTP gateway protocol asks for. */
export class CandidFormatError extends Error {
  override readonly name = 'CandidFormatError';
}
