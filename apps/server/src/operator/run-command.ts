import { EmbeddedPostgresError } from '../db/postgres/postgres-command.ts';
import { StartError } from '../errors.ts';

/** Runs a command of the operator, and prints what it answers, or the sentence about what is wrong. */
export async function runCommand(command: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await command()}\n`);
  } catch (error) {
    // These are sentences for the operator, and so is what is wrong with the arguments.
    const isPlain =
      error instanceof StartError ||
      error instanceof EmbeddedPostgresError ||
      (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
    const text = error instanceof Error ? (isPlain ? error.message : error.stack) : String(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  }
}
