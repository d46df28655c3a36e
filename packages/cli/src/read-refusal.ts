import { errorBody } from '@cannery/contract';
import { CliError, type ExitCode, exitCodes } from './cli-error.ts';

/** Statuses of a server, or of a proxy before it, that is not there at the moment. */
const AWAY = [502, 503, 504];

/** Whether the same call may succeed a little later. */
export function isPassing(status: number): boolean {
  return status === 429 || AWAY.includes(status);
}

/** How long a refusal asks to wait, in milliseconds; undefined when it does not say. */
export function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,4}$/.test(text) ? Number(text) * 1000 : undefined;
}

/** The server says of a token what it says of a session, which this program has none of. */
const NOT_VALID =
  'The API token is not valid: it is deleted, has expired, or was not copied whole. The Account page creates a new one.';

function exitCodeOf(status: number): ExitCode {
  if (status === 404) return exitCodes.missing;
  if (status === 403) return exitCodes.notAllowed;
  return status >= 400 && status < 500 && status !== 429 ? exitCodes.failed : exitCodes.unreachable;
}

/** What a refused call ends the program with. @param text the body of the answer */
export function refusalOf(status: number, text: string): CliError {
  if (status === 401) return new CliError(exitCodes.notAllowed, NOT_VALID);
  const body = errorBody.safeParse(parsed(text));
  const code = exitCodeOf(status);
  if (body.success) {
    const { error, detail, next_step: nextStep } = body.data;
    return new CliError(code, [error, detail, nextStep].filter(Boolean).join(' '));
  }
  return new CliError(
    code === exitCodes.missing ? exitCodes.unreachable : code,
    `The server answers ${status}, and not as Cannery does. Check CANNERY_URL.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
