import { cleanLine, plain, safeJson } from './clean-text.ts';

/** Where the program prints. */
export interface Output {
  /** A line of the result, for standard output. */
  print(line: string): void;
  /** A line of a log. */
  printLog(line: string): void;
  /** A value as one line of JSON. */
  printJson(value: unknown): void;
  /** What a person wants to know and a script does not; for standard error. */
  note(line: string): void;
}

/**
 * Prints to the streams of the process.
 */
export function createOutput({
  stdout,
  stderr,
  env,
}: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>): Output {
  const withColours = stdout.isTTY === true && !env['NO_COLOR'];
  return {
    print: (line) => void stdout.write(`${plain(line)}\n`),
    printLog: (line) => void stdout.write(`${cleanLine(line, withColours)}\n`),
    printJson: (value) => void stdout.write(`${safeJson(value)}\n`),
    note: (line) => void stderr.write(`${plain(line)}\n`),
  };
}
