import { systemName } from '../../lib/shared/system-canisters.ts';
import { Chip } from './chip.tsx';

/** Beside an id what the canister is called, where it is one of the system; nothing for others. */
export function SystemName({ id }: { id: string }) {
  const name = systemName(id);
  return name === undefined ? null : <Chip tone="neutral">{name}</Chip>;
}
