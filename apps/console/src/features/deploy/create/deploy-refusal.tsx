import { useEffect, useState } from 'react';
import { Notice } from '../../../components/ui/notice.tsx';
import { ApiError, saidOf } from '../../../lib/api/api-error.ts';
import { stayOf } from '../../../lib/toasts/toast-table.ts';
import { FirstTriggerError } from '../api/mutations.ts';

function refusalOf(failure: Error): { title: string; next: string } {
  if (failure instanceof FirstTriggerError) {
    const said = saidOf(failure.cause);
    return {
      title: 'The deploy is created, but its first run has not started.',
      next: said === undefined ? 'Press Deploy to start it.' : `${said} Press Deploy to start it.`,
    };
  }
  const known = failure instanceof ApiError ? failure : undefined;
  return {
    title: known?.error ?? 'The deploy was not created.',
    next: known?.nextStep ?? 'Press Deploy to try again.',
  };
}

/** Keeps the reason of a refusal on the form when its toast, which says it first, is gone. */
export function DeployRefusal({ failure }: { failure: Error | null }) {
  const [toastIsGone, setToastIsGone] = useState(false);
  useEffect(() => {
    if (failure === null) return undefined;
    const timer = setTimeout(() => setToastIsGone(true), stayOf('deploy: not created'));
    return () => clearTimeout(timer);
  }, [failure]);
  if (failure === null || !toastIsGone) return null;
  const { title, next } = refusalOf(failure);
  return (
    <div role="alert">
      <Notice tone="bad" title={title}>
        {next}
      </Notice>
    </div>
  );
}
