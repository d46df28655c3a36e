/** A build that ended without a result; the message is the last thing its log says, with the next step. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}
