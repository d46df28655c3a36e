import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { PageLoader } from '../components/ui/page-loader.tsx';
import { paths } from '../config/paths.ts';
import { authPhase } from '../lib/auth-state.ts';
import { authStore, useAuth } from '../lib/auth-store.ts';
import { createConsoleRouter } from './router.tsx';
import { SessionStart } from './session-start.tsx';

/** The whole console. Until the stored token is checked, a loader shows and no page does. */
export function Application({ signInToken }: { signInToken: string | undefined }) {
  const [router] = useState(() => createConsoleRouter({ auth: authStore.state }));
  const phase = authPhase(useAuth());

  useEffect(() => {
    const inside = router.state.matches.some(({ routeId }) => routeId === '/signed-in');
    if (phase === 'signed out' && inside) void router.navigate({ to: paths.login, replace: true });
  }, [phase, router]);

  return (
    <>
      {phase === 'loading at start' ? (
        <PageLoader label="Checking your session" />
      ) : (
        <RouterProvider router={router} />
      )}
      <SessionStart router={router} signInToken={signInToken} />
    </>
  );
}
