import { useEffect } from 'react';
import { authStore } from '../lib/session/auth-store.ts';
import { tokenStore } from '../lib/api/token-store.ts';
import type { ConsoleRouter } from './router.tsx';

async function start(router: ConsoleRouter, signInToken: string | undefined): Promise<void> {
  if (signInToken === undefined && tokenStore.read() === undefined) {
    authStore.dispatch({ type: 'INIT_DONE' });
    return;
  }
  // Shell and page are needed as soon as the session stands, so they travel while the token is being checked.
  const [matchedRoutes, { '**': rest }, found] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const route of matchedRoutes) void router.loadRouteChunk(route);
  const { session } = await import('../lib/session/current-session.ts');
  await session.start(signInToken, async () => {
    // What is no page of the console may be one of the user's repositories.
    if (found !== undefined && rest === undefined) return false;
    const { openRepositoryPage } = await import('./open-repository-page.ts');
    return openRepositoryPage(window.location);
  });
}

interface SessionStartProps {
  readonly router: ConsoleRouter;
  readonly signInToken: string | undefined;
}

/** Mounted last in the application: starts the session once, from the handed-over or the stored token. */
export function SessionStart({ router, signInToken }: SessionStartProps) {
  useEffect(() => {
    void start(router, signInToken);
  }, [router, signInToken]);
  return null;
}
