import { liveEndpoints } from '@cannery/contract';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api/api.ts';
import { tokenStore } from '../browser/token-store.ts';
import { onWake } from '../browser/wake.ts';
import { session } from '../session/current-session.ts';
import { LiveChannel } from './live-channel.ts';
import { createOutdater } from './outdate.ts';

/** Keeps what the pages of a session show true, and ends the session here when it has ended elsewhere. */
export function useLive(client: QueryClient): void {
  useEffect(() => {
    const outdater = createOutdater({ client, isHidden: () => document.visibilityState === 'hidden' });
    const own = tokenStore.read();
    /** A tab that has signed in meanwhile keeps its session. */
    const end = (): void => {
      const stored = tokenStore.read();
      if (stored === undefined || stored === own) session.expire();
    };
    // Another tab of this browser has signed out; that needs no service.
    const onStored = (): void => {
      if (tokenStore.read() === undefined) session.expire();
    };
    const channel = new LiveChannel({
      // On an address without TLS a browser has no locks.
      locks: (navigator as Partial<Navigator>).locks,
      openDoor: 'BroadcastChannel' in globalThis ? (name) => new BroadcastChannel(name) : undefined,
      openStream: (signal) => api.events(liveEndpoints.events, { signal }),
      visibility: document,
      onNews: outdater.take,
      onSignedOut: end,
    });
    globalThis.addEventListener('storage', onStored);
    const stayAsleep = onWake(() => {
      channel.reopen();
      outdater.take([{ kind: 'all' }]);
    });
    return () => {
      stayAsleep();
      globalThis.removeEventListener('storage', onStored);
      channel.stop();
      outdater.stop();
    };
  }, [client]);
}
