import { API_BASE } from '../../config/env.ts';
import { lostWrites } from '../connection/lost-writes.ts';
import { connection } from '../connection/this-connection.ts';
import { createApiClient } from './api-client.ts';
import { tokenStore } from '../browser/token-store.ts';

const refusals = new EventTarget();

/** The client of this page. */
export const api = createApiClient({
  base: API_BASE,
  readToken: tokenStore.read,
  onUnauthenticated: () => refusals.dispatchEvent(new Event('refused')),
  told: {
    answered: (succeeded) => connection.answered(succeeded),
    failed: () => connection.failed(),
    lost: (mayRepeat) => lostWrites.tell(mayRepeat),
    holds: () => connection.holds(),
  },
});

/** Calls back whenever the service refuses the bearer token; returns what ends it. */
export function onTokenRefused(listener: () => void): () => void {
  refusals.addEventListener('refused', listener);
  return () => refusals.removeEventListener('refused', listener);
}
