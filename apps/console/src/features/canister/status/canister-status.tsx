import type { Canister } from '@cannery/contract';
import { Chip } from '../../../components/ui/chip.tsx';
import { clockTime, NOT_AVAILABLE } from '../../../lib/text/formats.ts';
import { isRunning } from '../api/canister-state.ts';

interface CanisterStatusProps {
  readonly status: Canister['status'] | null | undefined;
  /** Colour of every status but running: orange in lists, red on the canister's own page. */
  readonly otherwise: 'warn' | 'bad';
  /** When the network told the status, while it does not answer. */
  readonly asOf?: string | null | undefined;
}

export function CanisterStatus({ status, otherwise, asOf }: CanisterStatusProps) {
  if (status == null || status === '') return NOT_AVAILABLE;
  const chip = <Chip tone={isRunning({ status }) ? 'ok' : otherwise}>{status}</Chip>;
  if (asOf == null) return chip;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
      {chip}
      <span
        title="The network does not answer: this is its last answer."
        className="text-xs whitespace-nowrap text-warn"
      >
        as of {clockTime(asOf)}
      </span>
    </span>
  );
}

/** Says that a canister does not have the code that was put into it. */
export function ChangedOutside() {
  return (
    <span
      title="Its code is not the code that the console has put in: somebody else has changed it."
      className="inline-flex align-bottom"
    >
      <Chip tone="warn">Changed outside</Chip>
    </span>
  );
}
