import type { Canister } from '@cannery/contract';
import { Chip } from '../../components/ui/chip.tsx';
import { NOT_AVAILABLE } from '../../lib/formats.ts';
import { isRunning } from './canister-state.ts';

interface CanisterStatusProps {
  readonly status: Canister['status'] | null | undefined;
  /** Colour of every status but running: orange in lists, red on the canister's own page. */
  readonly otherwise: 'warn' | 'bad';
}

export function CanisterStatus({ status, otherwise }: CanisterStatusProps) {
  if (status == null || status === '') return NOT_AVAILABLE;
  return <Chip tone={isRunning({ status }) ? 'ok' : otherwise}>{status}</Chip>;
}
