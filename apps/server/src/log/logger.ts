import { isatty } from 'node:tty';
import { destination, pino, type Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { withoutSecrets } from './log-secrets.ts';
import { terminalLine } from './terminal-line.ts';
import { logFields } from './request-context.ts';

export type { Logger };

const OUTPUT = 1;
/** Bytes of lines that wait for a log that takes none at the moment; what comes beyond them is lost. */
const MOST_WAITING = 1024 * 1024;

function toOutput(): (line: string) => unknown {
  // Written at once, so that nothing waits at the end; a pipe that is full keeps nobody.
  const output = destination({ dest: OUTPUT, sync: true, maxLength: MOST_WAITING, retryEAGAIN: () => false });
  // The disk of a log may be full, or whoever reads it gone: that costs lines, and not the server.
  output.removeAllListeners('error').on('error', () => undefined);
  return (line) => output.write(line);
}

/**
 * The server's log: one JSON object a line on standard output, with the request, job and run that it is of. Credentials
 * never get into it: whatever is logged, what looks like one is taken out of the finished line.
 * @param write where the lines go, if not to standard output
 * @param isTerminal whether they go to a terminal, where lines of the security log are short sentences
 */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  write?: (line: string) => unknown,
  isTerminal = write === undefined && isatty(OUTPUT),
): Logger {
  const take = write ?? toOutput();
  const shown = (line: string): string => (isTerminal ? terminalLine(line) : line);
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // pino writes the fields of the line into what it is given.
      mixin: () => ({ ...logFields() }),
      redact: {
        paths: [
          '*.authorization',
          '*.cookie',
          '*.token',
          '*.secret',
          '*.headers.authorization',
          '*.headers.cookie',
        ],
        censor: '[redacted]',
      },
    },
    { write: (line: string) => take(shown(withoutSecrets(line))) },
  );
}
