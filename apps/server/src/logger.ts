import { pino, type Logger } from 'pino';
import type { Config } from './config/config.ts';

export type { Logger };

/** The server's log: one JSON object a line on standard output; credentials never get into it. */
export function createLogger(config: Pick<Config, 'logLevel'>): Logger {
  return pino({
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
  });
}
