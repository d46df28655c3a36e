import { type ExitCode, exitCodes } from './exit-codes.ts';

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
