import { useBlocker, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { authStore } from '../../lib/session/auth-state.ts';
import { session } from '../../lib/session/current-session.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { type ChangedForm, changedForms, listed } from './changed-forms.ts';

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/** The tab that an address names; a change of it takes the forms of the tab away, a change of a search does not. */
function tabOf({ search }: Place): unknown {
  return 'tab' in search ? search.tab : undefined;
}

/** Whether going from one address to another takes the forms of the first away. */
function losesForms(from: Place, to: Place): boolean {
  return from.pathname !== to.pathname || tabOf(from) !== tabOf(to);
}

/** Asks before a page with changed forms is left, by whatever way; the browser asks before its tab is closed. */
export function LeaveGuard() {
  const router = useRouter();
  // The forms that the user has agreed to lose; they stay on the screen until the next page is there.
  const givenUp = useRef<readonly ChangedForm[]>(undefined);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      const forms = changedForms.get();
      // Whoever is signed out has no page to stay on.
      if (forms.length === 0 || authStore.get().currentUser === null) return false;
      // The address is ahead of what is on the screen while the next page is being fetched.
      const isLeft = losesForms(router.state.resolvedLocation ?? current, next);
      const isAgreed = forms === givenUp.current;
      if (!isLeft) givenUp.current = undefined;
      return isLeft && !isAgreed;
    },
    // What is changed cannot be saved as the user who has signed in elsewhere, so nothing keeps this page.
    enableBeforeUnload: () => changedForms.get().length > 0 && session.isOwn(),
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  const leave = (): void => {
    givenUp.current = changedForms.get();
    proceed();
  };
  const names = [...new Set(changedForms.get().map(({ name }) => name))];
  return (
    <ActionDialog
      onClose={reset}
      title="Leave without saving?"
      description={`What you have changed in ${listed(names)} is not saved.`}
      keep="Stay"
      action="Leave"
      danger
      onAction={leave}
    />
  );
}
