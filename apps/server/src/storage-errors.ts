import { AppError, ThreadStartError } from './errors.ts';

/** The disk fails, or is mounted for reading only. */
const BROKEN: ReadonlySet<string> = new Set(['EIO', 'EROFS', '58030']);
/** This process, or the machine, has as many files and connections open as it may. */
const TOO_MANY_OPEN: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);
/** No space on the device, a user's share or a limit of the process used up, or the database's word for it (SQLSTATE 53100). */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', '53100']);
/** SQLSTATE of a database that has as many connections as it takes, of all or of this user: too_many_connections. */
const NO_ROOM = '53300';
/** SQLSTATE of a text that is none, character_not_in_repertoire: the driver sends UTF-8, so it holds a NUL. */
const NOT_IN_REPERTOIRE = '22021';
/**
 * SQLSTATEs of a server that is ending, was killed, or is still starting: classes 08 and 57P (PostgreSQL, appendix A).
 * What was asked for was not committed, or its commit was never answered.
 */
const AWAY_STATE = /^(08\w{3}|57P0[1-5])$/;
/** What the driver (pg) says of a connection that is gone; these errors have no code. */
const AWAY_WORDS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired)/;

/** A full disk, a database that is away, or a text it cannot keep, in words for the caller; undefined for every other error. */
export function storageError(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (FULL.has(code)) {
    return new AppError('disk_full', 'The disk of the server is full. Nothing was saved.', {
      cause: error,
    });
  }
  if (BROKEN.has(code)) {
    return new AppError('storage_unavailable', 'The disk of the server does not work. Nothing was saved.', {
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (TOO_MANY_OPEN.has(code) || error instanceof ThreadStartError) {
    return new AppError('storage_unavailable', 'The server cannot open any more files at the moment.', {
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (AWAY_STATE.test(code) || isLostSocket(error, code) || AWAY_WORDS.test(error.message)) {
    return new AppError('database_unavailable', 'The database cannot be reached.', {
      ...(neverReached(error, code) ? {} : { detail: OUTCOME_UNKNOWN }),
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (code === NO_ROOM) {
    return new AppError('database_unavailable', 'The database takes no more connections at the moment.', {
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (code === NOT_IN_REPERTOIRE)
    return new AppError('invalid_input', 'The call has the character NUL, which no text here has.', {
      cause: error,
    });
  return undefined;
}

/** Whether the database is there, and has as many connections as it takes. */
export function hasNoRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === NO_ROOM;
}

/** Whether the database cannot be reached, has no room, or was lost while something was asked of it. */
export function isDatabaseAway(error: unknown): boolean {
  return storageError(error)?.code === 'database_unavailable';
}

/** About as long as the database takes to start. */
const RETRY_AFTER_SECONDS = 2;

const OUTCOME_UNKNOWN =
  'The connection was lost in the middle: the call may have been carried out. Look, or send it again with the same Idempotency-Key.';

/** Whether no connection was made at all, or the server took none yet or any more. */
function neverReached(error: Error, code: string): boolean {
  if ('syscall' in error && error.syscall === 'connect') return true;
  return code === '57P03' || /^timeout (?:exceeded when trying to connect|expired)/.test(error.message);
}

const SOCKET_CALLS: ReadonlySet<unknown> = new Set(['connect', 'read', 'write']);
const SOCKET_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'EAGAIN',
]);

/** Only the driver of the database uses sockets by itself; what goes over HTTP comes with other errors. */
function isLostSocket(error: Error, code: string): boolean {
  if (!('syscall' in error) || !SOCKET_CALLS.has(error.syscall)) return false;
  return SOCKET_CODES.has(code) && (code !== 'ENOENT' || error.syscall === 'connect');
}
