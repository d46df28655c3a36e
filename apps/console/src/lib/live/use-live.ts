import { liveEndpoints } from '@cannery/contract';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api/api.ts';
import { onWake } from '../browser/wake.ts';
import { session } from '../session/current-session.ts';
import { LiveChannel } from './live-channel.ts';
import { createOutdater } from './outdate.ts';

/** Keeps what the pages of a session show true, and ends the session here when it has ended elsewhere. */
export function useLive(client: QueryClient): void {
  useEffect(() => {
    const outdater = createOutdater({ client, isHidden: () => document.visibilityState === 'hidden' });
    // A page without news, such as the documentation, has not followed what other tabs did.
    const follow = (): void => session.follow();
    follow();
    const channel = new LiveChannel({
      // On an address without TLS a browser has no locks.
      locks: (navigator as Partial<Navigator>).locks,
      openDoor: 'BroadcastChannel' in globalThis ? (name) => new BroadcastChannel(name) : undefined,
      openStream: (signal) => api.events(liveEndpoints.events, { signal }),
      visibility: document,
      onNews: outdater.take,
      onSignedOut: () => session.end(),
    });
    globalThis.addEventListener('storage', follow);
    const stayAsleep = onWake(() => {
      // A page that slept was told nothing of the store.
      follow();
      channel.reopen();
      outdater.take([{ kind: 'all' }]);
    });
    return () => {
      stayAsleep();
      globalThis.removeEventListener('storage', follow);
      channel.stop();
      outdater.stop();
    };
  }, [client]);
}
