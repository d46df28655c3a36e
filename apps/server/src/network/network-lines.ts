import type { Logger } from '../log/logger.ts';

/** A line of the network about a request that has a name, see `CallNotes` of the network. */
interface CallNote {
  readonly request_id: string;
  readonly asked_for: string;
  readonly status: number;
  readonly ms: number;
}

/** Longest line that is looked at, in characters; notes have some hundred. */
const MOST_CHARACTERS = 400;

/** Logs what the process of the network prints; what it says of a named request gets the fields of that request. */
export function logLine(log: Logger, line: string): void {
  const note = noteIn(line);
  if (note === undefined) log.info({ part: 'network' }, line);
  else {
    const level = note.status >= 500 ? 'warn' : note.status >= 400 ? 'info' : 'debug';
    log[level]({ part: 'network', ...note }, 'The network has answered a request');
  }
}

function noteIn(line: string): CallNote | undefined {
  if (!line.startsWith('{"request_id":"') || line.length > MOST_CHARACTERS) return undefined;
  try {
    const { request_id, asked_for, status, ms } = JSON.parse(line) as CallNote;
    return {
      request_id: String(request_id),
      asked_for: String(asked_for),
      status: Number(status),
      ms: Number(ms),
    };
  } catch {
    return undefined;
  }
}
