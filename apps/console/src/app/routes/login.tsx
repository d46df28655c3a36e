import { getRouteApi, useLocation } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPage } from '../../components/ui/lazy-page.ts';
import { SignInCard } from '../../features/user/sign-in-card.tsx';
import { askedPath } from '../../lib/session/asked-path.ts';
import { useAuth } from '../../lib/session/auth-state.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

const route = getRouteApi('/login');

/** Few are asked: most visitors bring no token in their address. */
const SignInQuestion = lazyPage(() => import('../../features/user/sign-in-question.tsx'), 'SignInQuestion');

/** Longest text of an error in the address that is shown. */
const MAX_ERROR = 300;

export function LoginPage() {
  usePageTitle('Sign in');
  const { error } = route.useSearch();
  const { errorMessage, asksFor } = useAuth();
  const asked = useLocation({ select: ({ state }) => state.askedPath });
  const begin = () => {
    // After a failed sign-in the path of before still holds.
    if (asked !== undefined || error === undefined) askedPath.keep(asked);
  };
  return (
    <main className="grid min-h-dvh place-items-center p-6 pb-[18dvh]">
      {asksFor === null ? (
        <SignInCard message={error?.slice(0, MAX_ERROR) ?? (errorMessage || undefined)} onBegin={begin} />
      ) : (
        <Suspense fallback={null}>
          <SignInQuestion user={asksFor} />
        </Suspense>
      )}
    </main>
  );
}
