import { useEffect } from 'react';
import { authStore } from '../lib/auth-store.ts';
import { tokenStore } from '../lib/token-store.ts';

async function start(signInToken: string | undefined): Promise<void> {
  if (signInToken === undefined && tokenStore.read() === undefined) {
    authStore.dispatch({ type: 'INIT_DONE' });
    return;
  }
  // The shell is needed as soon as the session stands, so it travels while the token is being checked.
  void import('./shell/shell.tsx');
  const { session } = await import('../lib/current-session.ts');
  await session.start(signInToken);
}

/** Mounted last in the application: starts the session once, from the handed-over or the stored token. */
export function SessionStart({ signInToken }: { signInToken: string | undefined }) {
  useEffect(() => {
    void start(signInToken);
  }, [signInToken]);
  return null;
}
