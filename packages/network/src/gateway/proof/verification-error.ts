/** Why a response cannot be trusted; the message continues "The response could not be verified: ". */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
}
