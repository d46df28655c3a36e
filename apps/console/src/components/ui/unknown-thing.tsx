import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { UNKNOWN_THING } from '../../config/unknown.ts';
import { Card } from './card.tsx';

interface UnknownThingProps {
  readonly what: 'canister' | 'deploy' | 'dapp';
  /** The way to what there is. */
  readonly back: ReactNode;
}

/** What the page is headed for those who do not see it, as it would be with the thing. */
const HEADINGS = { canister: 'Canister', deploy: 'Deploy', dapp: 'DApp' } as const;

/** The page of something that there is not, for this user. */
export function UnknownThing({ what, back }: UnknownThingProps) {
  return (
    <Card className="flex flex-col items-center px-6 py-14 text-center">
      <SearchX className="mb-3 size-8 text-muted" strokeWidth={1.5} aria-hidden="true" />
      <h1 className="sr-only">{HEADINGS[what]}</h1>
      <h2 className="text-lg font-semibold text-balance">This {what} cannot be shown.</h2>
      <p role="status" className="mt-1 max-w-md text-sm text-pretty text-muted">
        {UNKNOWN_THING}
      </p>
      <div className="mt-5">{back}</div>
    </Card>
  );
}
