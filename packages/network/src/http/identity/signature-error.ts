/** A key or signature the network does not accept; the message continues "Invalid signature: " or the like. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}
