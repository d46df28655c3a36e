import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { PageLoader } from '../components/ui/page-loader.tsx';
import { paths } from '../config/paths.ts';
import { authPhase } from '../lib/session/auth-state.ts';
import { authStore, useAuth } from '../lib/session/auth-store.ts';
import { createConsoleRouter } from './router.tsx';
import { SessionStart } from './session-start.tsx';

/** The whole console. Until the stored token is checked, a loader shows and no page does. */
export function Application({ signInToken }: { signInToken: string | undefined }) {
  const [router] = useState(() => createConsoleRouter({ auth: authStore.get }));
  const auth = useAuth();
  const phase = authPhase(auth);
  // A session that ended by itself goes on where it was; whoever signs out has done with the page.
  const endedByItself = auth.errorMessage !== '';

  useEffect(() => {
    const inside = router.state.matches.some(({ routeId }) => routeId === '/signed-in');
    // A page that anybody may open stays, unless its reader has pressed Sign Out.
    if (phase !== 'signed out' || (endedByItself && !inside)) return;
    const state = endedByItself ? { askedPath: router.state.location.href } : {};
    void router.navigate({ to: paths.login, replace: true, state });
  }, [phase, endedByItself, router]);

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
