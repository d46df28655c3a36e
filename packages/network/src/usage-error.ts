/** Wrong use of the command line; shown together with the usage text. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
