/** The sentence of a failure. */
export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : 'Something went wrong';
}
