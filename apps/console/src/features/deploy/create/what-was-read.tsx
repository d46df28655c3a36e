import { BookOpenCheck, PencilLine, SlidersHorizontal } from 'lucide-react';
import { Card } from '../../../components/ui/card.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { classNames } from '../../../lib/class-names.ts';
import { type Fact, sourceText } from './draft-facts.ts';

const marks = {
  read: BookOpenCheck,
  template: BookOpenCheck,
  chosen: PencilLine,
  entered: PencilLine,
  default: SlidersHorizontal,
} as const;

function Row({ fact: { label, value, source, isCode = false }, branch }: { fact: Fact; branch: string }) {
  const Mark = marks[source];
  return (
    <div className="flex min-h-12 items-start justify-between gap-4 border-t border-line py-2 first:border-0">
      <dt className="shrink-0 text-sm text-muted">{label}</dt>
      <dd className="min-w-0 text-right">
        {value === undefined ? (
          <>
            <Skeleton className="my-0.5 ml-auto w-28" />
            <Skeleton className="my-0.5 ml-auto h-3 w-20" />
          </>
        ) : (
          <>
            <span
              className={classNames(
                'line-clamp-3 text-sm wrap-anywhere',
                isCode ? 'font-mono' : 'font-medium',
              )}
              title={value}
            >
              {value}
            </span>
            <span className="flex items-center justify-end gap-1 text-xs wrap-anywhere text-muted">
              <Mark className="size-3 shrink-0" aria-hidden="true" />
              {sourceText(source, branch)}
            </span>
          </>
        )}
      </dd>
    </div>
  );
}

interface WhatWasReadProps {
  readonly facts: readonly Fact[];
  readonly branch: string;
}

/** What the server has read of the repository, and what else decides the deploy. */
export function WhatWasRead({ facts, branch }: WhatWasReadProps) {
  return (
    <Card aria-label="What was read" className="px-5 pt-4 pb-2 max-lg:order-first">
      <h2 className="mb-1 text-lg font-semibold">What was read</h2>
      <dl aria-busy={facts.some(({ value }) => value === undefined)}>
        {facts.map((fact) => (
          <Row key={fact.label} fact={fact} branch={branch} />
        ))}
      </dl>
    </Card>
  );
}
