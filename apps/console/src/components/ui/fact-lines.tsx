import type { ReactNode } from 'react';

/** A list of labels with their values at the end of the line. */
export function FactLines({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-2 px-5 pb-5 text-sm">{children}</dl>;
}

export function FactLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-center justify-between gap-4">
      <dt className="text-muted">{label}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  );
}
