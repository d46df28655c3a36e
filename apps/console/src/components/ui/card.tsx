import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';

/** A bordered surface. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section {...rest} className={classNames('rounded-card border border-line bg-surface', className)} />
  );
}

interface CardHeaderProps {
  readonly title: ReactNode;
  readonly note?: ReactNode;
  /** Of when what the card shows is, where that is worth saying. */
  readonly age?: ReactNode;
  readonly actions?: ReactNode;
}

/** Title row of a card, with actions at its end. */
export function CardHeader({ title, note, age, actions }: CardHeaderProps) {
  return (
    <header className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-5 py-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      {note !== undefined && <span className="text-sm text-muted">{note}</span>}
      {age}
      {actions !== undefined && (
        <div className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-2 max-sm:has-[input]:w-full">
          {actions}
        </div>
      )}
    </header>
  );
}
