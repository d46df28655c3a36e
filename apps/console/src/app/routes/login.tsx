import { getRouteApi } from '@tanstack/react-router';
import { SignInCard } from '../../features/user/sign-in-card.tsx';
import { useAuth } from '../../lib/auth-store.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';

const route = getRouteApi('/login');

/** Longest text of an error in the address that is shown. */
const MAX_ERROR = 300;

export function LoginPage() {
  usePageTitle('Sign in');
  const { error } = route.useSearch();
  const { errorMessage } = useAuth();
  return (
    <main className="grid min-h-dvh place-items-center p-6 pb-[18dvh]">
      <SignInCard message={error?.slice(0, MAX_ERROR) ?? (errorMessage || undefined)} />
    </main>
  );
}
