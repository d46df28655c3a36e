import { AppError } from '../errors.ts';
import { MovedError } from './bounded-fetch.ts';

/** The app is no longer installed there, or is suspended. */
export class InstallationGoneError extends Error {
  override readonly name = 'InstallationGoneError';
}

/** The parts of octokit's RequestError that decide. */
interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly response?: { readonly headers?: Readonly<Record<string, string | number | undefined>> };
}

/** What octokit throws, when GitHub or the way to it has refused a call. */
export function refusalOf(error: unknown): Refusal | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? (error as Error & Refusal)
    : undefined;
}

/** What is kept of a refusal: the rest of it holds the request, with what only GitHub may see. */
export function causeOf({ status, message }: Refusal): Error {
  return new Error(`GitHub answered ${status}: ${message}`);
}

/** Seconds for which GitHub takes no calls; undefined when that is not what it says. */
function waitOf({ status, message, response }: Refusal): number | undefined {
  const headers = response?.headers ?? {};
  const isLimit = headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(message);
  if (status !== 429 && !(status === 403 && isLimit)) return undefined;
  const reset = Number(headers['x-ratelimit-reset'] ?? 0) - Date.now() / 1000;
  return Math.ceil(Math.min(3_600, Math.max(1, Number(headers['retry-after'] ?? 0) || reset || 60)));
}

/**
 * What a failed call of GitHub means for the user; errors of other kinds go on as they are.
 * @param what the repository that was asked for
 */
export function explainGitHubError(error: unknown, what: string): unknown {
  const refusal = refusalOf(error);
  if (refusal === undefined) return error;
  if (refusal.status >= 500 && error instanceof Error && error.cause instanceof MovedError) {
    const text = `${what} has moved or was renamed at GitHub. Create a deploy with its new name.`;
    return new AppError('repository_not_found', text, { cause: causeOf(refusal) });
  }
  const cause = causeOf(refusal);
  const retryAfterSeconds = waitOf(refusal);
  if (retryAfterSeconds !== undefined) {
    const text = 'GitHub accepts no more calls from this console for a while.';
    return new AppError('rate_limited', text, { cause, retryAfterSeconds });
  }
  if ([403, 404, 410, 422, 451].includes(refusal.status)) {
    const text = `The GitHub App may not read ${what}, or there is no such repository.`;
    return new AppError('repository_not_found', text, { cause });
  }
  if (refusal.status === 401) {
    const text =
      'GitHub does not accept the key of this console. Its operator has to check GITHUB_APP_ID and GITHUB_PRIVATE_KEY_FILE.';
    return new AppError('git_host_unavailable', text, { cause });
  }
  return new AppError('git_host_unavailable', 'GitHub does not answer.', { cause });
}
