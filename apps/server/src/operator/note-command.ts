import { isatty } from 'node:tty';
import { configOf } from '../config/config.ts';
import { readEnv } from '../config/env.ts';
import { createLogger } from '../log/logger.ts';
import type { EventDetails } from '../security-log/security-events.ts';
import { SecurityLog } from '../security-log/security-log.ts';

const ERRORS = 2;

/**
 * Writes a line of the security log about a command of the operator that has been carried out. It is a process beside the server, which may not
 * even run: the line goes to standard error, and what the command answers to standard output.
 */
export function noteCommand(
  command: NonNullable<EventDetails['command']>,
  about: Pick<EventDetails, 'user' | 'thing'> = {},
): void {
  const config = configOf(readEnv(process.env));
  const write = (line: string): unknown => process.stderr.write(line);
  const log = createLogger(config, write, isatty(ERRORS));
  using security = new SecurityLog({ log, isOn: config.securityLog });
  security.note('operator_command', { command, ...about });
}
