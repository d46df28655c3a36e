/** What the exit code of `cannery` says. Scripts rely on it: a meaning never changes. */
export const exitCodes = {
  completed: 0,
  /** A run that was waited for has failed, or the server has refused what was asked. */
  failed: 1,
  usage: 2,
  /** There is no such deploy or run. */
  missing: 3,
  /** The token is not valid, or may not do this. */
  notAllowed: 4,
  /** The server could not be reached, or what answers is no Cannery. */
  unreachable: 5,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Something that ends the program with a sentence for its user. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The command line, or what it takes from the environment, cannot be understood. */
export function usageError(message: string): CliError {
  return new CliError(exitCodes.usage, message);
}
