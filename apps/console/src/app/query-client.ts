import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../lib/api/api-error.ts';

const RETRY_DELAY_MS = 500;
/** Tries of a call that came too often; the time between them doubles. */
const RATE_TRIES = 5;
const RATE_DELAY_MS = 2000;

function cameTooOften(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429;
}

/** A second attempt helps only when the service was not reached, is being restarted or asks for patience. */
function triesAgain(failures: number, error: unknown): boolean {
  if (cameTooOften(error)) return failures < RATE_TRIES;
  return error instanceof ApiError && (error.code === 'unreachable' || error.status === 503) && failures < 1;
}

/** Milliseconds before the next try. A list that is fetched again and again waits with it. */
function retryDelay(failures: number, error: unknown): number {
  return cameTooOften(error) ? RATE_DELAY_MS * 2 ** failures : RETRY_DELAY_MS;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // A browser without a network may have a service on its own computer: calls are made, and fail, instead of waiting.
      queries: { retry: triesAgain, retryDelay, staleTime: 1000, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
}
