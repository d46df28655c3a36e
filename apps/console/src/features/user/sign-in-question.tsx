import type { User } from '@cannery/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { paths } from '../../config/paths.ts';
import { authStore } from '../../lib/session/auth-state.ts';
import { session } from '../../lib/session/current-session.ts';
import { Avatar, displayName } from './avatar.tsx';

interface SignInQuestionProps {
  /** Whose token the address handed over. */
  readonly user: User;
}

/** Asks who has opened an address with somebody's token: anybody could have made that address. */
export function SignInQuestion({ user }: SignInQuestionProps) {
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  const confirm = async () => {
    setBusy(true);
    await session.confirm();
    setBusy(false);
    if (authStore.get().currentUser) await navigate({ to: paths.home, replace: true });
  };
  const name = displayName(user);
  const handle = user.username && name !== `@${user.username}` ? `@${user.username}` : undefined;
  return (
    <div className="w-full max-w-88 animate-arrival text-center">
      <Avatar user={user} className="mx-auto size-16 text-2xl" />
      <h1 className="mt-5 text-2xl font-semibold tracking-tight wrap-anywhere">Sign in as {name}?</h1>
      {handle !== undefined && <p className="mt-1 text-sm wrap-anywhere text-muted">{handle}</p>}
      <p className="mx-auto mt-3 max-w-80 text-base text-pretty text-muted">
        The link you opened signs this browser in to that account. Continue only if the account is yours:
        everything you do next happens in it.
      </p>
      <div className="mt-8 flex justify-center gap-3">
        <Button onClick={() => session.decline()} disabled={busy}>
          No, it is not mine
        </Button>
        <Button variant="primary" onClick={() => void confirm()} busy={busy}>
          Yes, sign in
        </Button>
      </div>
    </div>
  );
}
