import { Box } from 'lucide-react';
import type { ReactNode } from 'react';
import { CandidLink } from '../../../components/ui/candid-link.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { MANAGEMENT } from '../../../lib/shared/system-canisters.ts';

interface SystemCanisterProps {
  readonly id: string;
  readonly name: string;
  /** The way to what there is. */
  readonly back: ReactNode;
}

/** The page of a canister of the system: nobody has it, and everybody may call it. */
export function SystemCanister({ id, name, back }: SystemCanisterProps) {
  return (
    <Card className="flex flex-col items-center px-6 py-14 text-center">
      <Box className="mb-3 size-8 text-muted" strokeWidth={1.5} aria-hidden="true" />
      <h1 className="text-lg font-semibold text-balance">{name}</h1>
      <p className="mt-1">
        <IdText id={id} of="canister id" className="text-muted" />
      </p>
      <p role="status" className="mt-2 max-w-md text-sm text-pretty text-muted">
        {id === MANAGEMENT
          ? 'This is the network itself, as canisters call it. It belongs to nobody, and has no code and no page.'
          : 'This is a canister of the system. It belongs to nobody, so there is nothing to manage here; everybody may call its methods.'}
      </p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        {id !== MANAGEMENT && <CandidLink id={id} label="Open its Candid page" />}
        {back}
      </div>
    </Card>
  );
}
