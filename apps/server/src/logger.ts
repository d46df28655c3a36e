import { destination, pino, type Logger } from 'pino';
import type { Config } from './config/config.ts';

export type { Logger };

/** Bytes of lines that wait for a log that takes none at the moment; what comes beyond them is lost. */
const MOST_WAITING = 1024 * 1024;

/** The server's log: one JSON object a line on standard output; credentials never get into it. */
export function createLogger(config: Pick<Config, 'logLevel'>): Logger {
  // Written at once, so that nothing waits at the end; a pipe that is full keeps nobody.
  const output = destination({ dest: 1, sync: true, maxLength: MOST_WAITING, retryEAGAIN: () => false });
  // The disk of a log may be full, or whoever reads it gone: that costs lines, and not the server.
  output.removeAllListeners('error').on('error', () => undefined);
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
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
    output,
  );
}
