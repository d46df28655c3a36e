import type { Canister, DappInstance, Deploy } from '@cannery/contract';
import { freezingText, SOON_DAYS } from '../../features/canister/status/freezing-text.ts';

interface Concern {
  /** Stays the same while it lasts. */
  readonly key: string;
  /** 'bad' is out of order, 'warn' will be soon, 'info' can be made better. */
  readonly tone: 'bad' | 'warn' | 'info';
  /** The name of what it is about. */
  readonly name: string | null;
  readonly text: string;
}

/** Something that the user should do something about. */
export type Attention = Concern &
  (
    | { readonly kind: 'run'; readonly deployId: string; readonly runId: string; readonly at: string | null }
    | { readonly kind: 'cycles'; readonly canister: Canister }
    | { readonly kind: 'update'; readonly canisterId: string }
  );

const order = ['bad', 'warn', 'info'] as const;

function failedRun({ id, name, deployInstance: run }: Deploy): Attention[] {
  if (run?.status !== 'FAILED') return [];
  const text = run.awaits_approval
    ? 'A run waits for your approval: it would break callers'
    : 'The last run failed';
  return [
    {
      key: `run ${id}`,
      kind: 'run',
      tone: 'bad',
      name,
      text,
      deployId: id,
      runId: run.id,
      at: run.created_at,
    },
  ];
}

function shortOfCycles(canister: Canister): Attention[] {
  const { id, name, days_until_freezing: days } = canister;
  if (days === null || days >= SOON_DAYS) return [];
  const frozen = days === 0;
  const text = frozen
    ? 'Frozen: it refuses calls until it has more cycles'
    : `Freezes in ${freezingText(days, false)}`;
  return [{ key: `cycles ${id}`, kind: 'cycles', tone: frozen ? 'bad' : 'warn', name, text, canister }];
}

function updateOf({
  canister_id: canisterId,
  canister_name: name,
  dapp_name: dapp,
  update,
}: DappInstance): Attention[] {
  if (update === null) return [];
  const text = `${dapp} ${update.version} is available`;
  return [{ key: `update ${canisterId}`, kind: 'update', tone: 'info', name, text, canisterId }];
}

/** What needs the user, the worst first. */
export function attentionOf(owned: {
  readonly deploys: readonly Deploy[];
  readonly canisters: readonly Canister[];
  readonly instances: readonly DappInstance[];
}): Attention[] {
  return [
    ...owned.deploys.flatMap(failedRun),
    ...owned.canisters.flatMap(shortOfCycles),
    ...owned.instances.flatMap(updateOf),
  ].toSorted((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
}
