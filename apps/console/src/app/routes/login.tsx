import { getRouteApi, useLocation } from '@tanstack/react-router';
import { SignInCard } from '../../features/user/sign-in-card.tsx';
import { askedPath } from '../../lib/asked-path.ts';
import { useAuth } from '../../lib/auth-store.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';

const route = getRouteApi('/login');

/** Longest text of an error in the address that is shown. */
const MAX_ERROR = 300;

export function LoginPage() {
  usePageTitle('Sign in');
  const { error } = route.useSearch();
  const { errorMessage } = useAuth();
  const asked = useLocation({ select: ({ state }) => state.askedPath });
  const begin = () => {
    // After a failed sign-in the path of before still holds.
    if (asked !== undefined || error === undefined) askedPath.keep(asked);
  };
  return (
    <main className="grid min-h-dvh place-items-center p-6 pb-[18dvh]">
      <SignInCard message={error?.slice(0, MAX_ERROR) ?? (errorMessage || undefined)} onBegin={begin} />
    </main>
  );
}
