import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPage } from '../../components/ui/lazy-page.ts';
import { paths } from '../../config/paths.ts';
import { SignInCard } from '../../features/user/sign-in-card.tsx';
import { askedPath } from '../../lib/session/asked-path.ts';
import { authStore, useAuth } from '../../lib/session/auth-state.ts';
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
  const navigate = useNavigate();
  const asked = useLocation({ select: ({ state }) => state.askedPath });
  const begin = () => {
    // After a failed sign-in the path of before still holds.
    if (asked !== undefined || error === undefined) askedPath.keep(asked);
  };
  const confirm = async () => {
    const { session } = await import('../../lib/session/current-session.ts');
    await session.confirm();
    if (authStore.get().currentUser) await navigate({ to: paths.home, replace: true });
  };
  const decline = async () => (await import('../../lib/session/current-session.ts')).session.decline();
  return (
    <main className="grid min-h-dvh place-items-center p-6 pb-[18dvh]">
      {asksFor === null ? (
        <SignInCard message={error?.slice(0, MAX_ERROR) ?? (errorMessage || undefined)} onBegin={begin} />
      ) : (
        <Suspense fallback={null}>
          <SignInQuestion user={asksFor} onConfirm={confirm} onDecline={decline} />
        </Suspense>
      )}
    </main>
  );
}
