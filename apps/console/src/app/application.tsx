import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { PageLoader } from '../components/ui/page-loader.tsx';
import { paths } from '../config/paths.ts';
import { tokenStore } from '../lib/browser/token-store.ts';
import { authPhase, authStore, useAuth } from '../lib/session/auth-state.ts';
import { forgetLoaded } from './forget-loaded.ts';
import { type ConsoleRouter, createConsoleRouter } from './router.tsx';

/** Fetches the small file of the font of ids and code, which comes after the large ones (`first-fonts.css`). */
function loadCodeFont(): void {
  const face = [...document.fonts].findLast(({ family }) => family.includes('JetBrains Mono'));
  // Without it the text is there in another font.
  face?.load().catch(() => undefined);
}

async function start(router: ConsoleRouter, signInToken: string | undefined): Promise<void> {
  if (signInToken === undefined && tokenStore.read() === undefined) {
    authStore.dispatch({ type: 'INIT_DONE' });
    return;
  }
  // Shell and page are needed as soon as the session stands, so they travel while the token is being checked.
  const [matchedRoutes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const route of matchedRoutes) void router.loadRouteChunk(route);
  // The font of ids and code as well: where it came after the first of them, lines would break elsewhere and move what is beneath.
  loadCodeFont();
  const { session } = await import('../lib/session/current-session.ts');
  await session.start(signInToken);
}

interface SessionStartProps {
  readonly router: ConsoleRouter;
  readonly signInToken: string | undefined;
}

/** Mounted last in the application: starts the session once, from the handed-over or the stored token. */
function SessionStart({ router, signInToken }: SessionStartProps) {
  useEffect(() => {
    void start(router, signInToken);
  }, [router, signInToken]);
  return null;
}

/** The whole console. Until the stored token is checked, a loader shows and no page does. */
export function Application({ signInToken }: { signInToken: string | undefined }) {
  const [router] = useState(() => createConsoleRouter({ auth: authStore.get }));
  const auth = useAuth();
  const phase = authPhase(auth);
  // A session that ended by itself goes on where it was; whoever signs out has done with the page.
  const endedByItself = auth.errorMessage !== '';

  useEffect(() => {
    const inside = router.state.matches.some(
      ({ routeId }) => routeId === '/signed-in' || routeId === '/repositories',
    );
    if (phase !== 'signed out') return;
    const state = endedByItself ? { askedPath: router.state.location.href } : {};
    // A page that anybody may open stays, unless its reader has pressed Sign Out.
    const stays = endedByItself && !inside;
    void forgetLoaded(router, stays || router.navigate({ to: paths.login, replace: true, state }));
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
