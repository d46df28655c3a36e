import { API_BASE } from '../../config/env.ts';
import { tokenStore } from '../browser/token-store.ts';
import { Connection } from './connection.ts';
import { reach } from './reach.ts';

/** The connection of this page. */
export const connection = new Connection({
  reach: (timeoutMs) => reach(API_BASE, timeoutMs, { token: tokenStore.read() }),
  now: Date.now,
});

/** How often a page on show looks whether it has heard of the service, in milliseconds. */
const WATCH_MS = 500;

/** Watches the connection while the page is on show, and when the browser says that it went or came. @returns what ends it */
export function watchConnection(): () => void {
  const look = (): void => {
    if (document.visibilityState === 'visible') connection.watch();
  };
  // A browser without a network still reaches a service on its own computer: the service is asked, not the browser.
  const ask = (): void => void connection.check();
  const onVisibility = (): void => {
    // The timers of a page that nobody saw were slow.
    if (document.visibilityState === 'visible' && connection.get().is === 'lost') ask();
    else look();
  };
  const timer = setInterval(look, WATCH_MS);
  document.addEventListener('visibilitychange', onVisibility);
  addEventListener('online', ask);
  addEventListener('offline', ask);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('online', ask);
    removeEventListener('offline', ask);
  };
}
