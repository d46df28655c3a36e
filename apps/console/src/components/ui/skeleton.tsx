import { classNames } from '../../lib/class-names.ts';

/** A grey bar in the shape of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block h-4 animate-pulse rounded-control bg-ink/8', className)}
    />
  );
}
