import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../lib/api-error.ts';

const RETRY_DELAY_MS = 500;

/** A second attempt helps only when the service was not reached or is being restarted. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'unreachable' || error.status === 503);
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 1 && isPassing(error),
        retryDelay: RETRY_DELAY_MS,
        staleTime: 1000,
      },
    },
  });
}
