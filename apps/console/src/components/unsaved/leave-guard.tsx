import { useBlocker } from '@tanstack/react-router';
import { authStore } from '../../lib/session/auth-state.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { changedForms, listed } from './changed-forms.ts';

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/** The tab that an address names; a change of it takes the forms of the tab away, a change of a search does not. */
function tabOf({ search }: Place): unknown {
  return 'tab' in search ? search.tab : undefined;
}

/** Whether going from one address to another takes changed forms away. */
function losesForms(current: Place, next: Place): boolean {
  // Whoever is signed out has no page to stay on.
  if (changedForms.get().length === 0 || authStore.get().currentUser === null) return false;
  return current.pathname !== next.pathname || tabOf(current) !== tabOf(next);
}

/** Asks before a page with changed forms is left, by whatever way; the browser asks before its tab is closed. */
export function LeaveGuard() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => losesForms(current, next),
    enableBeforeUnload: () => changedForms.get().length > 0,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  const names = [...new Set(changedForms.get().map(({ name }) => name))];
  return (
    <ActionDialog
      onClose={reset}
      title="Leave without saving?"
      description={`What you have changed in ${listed(names)} is not saved.`}
      keep="Stay"
      action="Leave"
      danger
      onAction={proceed}
    />
  );
}
