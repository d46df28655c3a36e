import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { createPortal } from 'react-dom';
import { useStore } from '../../lib/browser/store.ts';
import { classNames } from '../../lib/class-names.ts';
import { toast, type ToastEntry } from '../../lib/toasts/toast-store.ts';
import { IconButton } from './icon-button.tsx';

const marks = {
  success: { Icon: CircleCheck, className: 'text-ok' },
  error: { Icon: CircleAlert, className: 'text-bad' },
} as const;

function Toast({ entry }: { entry: ToastEntry }) {
  const { Icon, className } = marks[entry.kind];

  return (
    <div
      role={entry.kind === 'error' ? 'alert' : 'status'}
      data-kind={entry.kind}
      onPointerEnter={() => entry.kind === 'error' && toast.hold(entry.id)}
      onPointerLeave={() => entry.kind === 'error' && toast.release(entry.id)}
      className="pointer-events-auto flex max-w-[min(34rem,calc(100vw-2rem))] items-start gap-2.5 rounded-card border border-line bg-raised py-2.5 pr-2 pl-3.5 shadow-float [animation:entrance_160ms_ease-out]"
    >
      <Icon className={classNames('mt-0.5 size-4 shrink-0', className)} aria-hidden="true" />
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{entry.text}</p>
        {entry.hint !== undefined && <p className="text-sm text-muted">{entry.hint}</p>}
      </div>
      <IconButton size="small" label="Dismiss" className="-my-1" onClick={() => toast.dismiss(entry.id)}>
        <X className="size-3.5" />
      </IconButton>
    </div>
  );
}

/** Shows the toasts at the top centre, above dialogs, and announces them. */
export function Toaster() {
  const entries = useStore(toast);
  return createPortal(
    <section
      aria-live="polite"
      aria-label="Notifications"
      className="pointer-events-none fixed inset-x-0 top-3 z-100 flex flex-col items-center gap-2"
    >
      {entries.map((entry) => (
        <Toast key={entry.id} entry={entry} />
      ))}
    </section>,
    document.body,
  );
}
