import type { CanisterAnswer } from '@cannery/contract';
import { daysUntilFreezing } from './freezing.ts';
import { type CanisterRow, keptFreezing } from './store.ts';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';

/**
 * A canister as the contract shows it; cycles become a number only here.
 * @param isBehind whether the network does not answer, so that the state is as of when it last did
 */
export function toAnswer(row: CanisterRow, isBehind = false): CanisterAnswer {
  const freezing = keptFreezing(row);
  return {
    id: row.id,
    name: row.name,
    cycles: row.cycles === null ? null : Number(row.cycles),
    cycles_exact: row.cycles === null ? null : row.cycles.toString(),
    status: row.status,
    module_hash: row.module_hash,
    origin: originAnswer(row),
    days_until_freezing:
      row.cycles === null || freezing === null ? null : daysUntilFreezing(row.cycles, freezing),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
    as_of: isBehind ? (row.refreshed_at ?? row.created_at).toISOString() : null,
  };
}

type Answer = NonNullable<CanisterAnswer['origin']>;
type Source = Pick<Answer, 'source_id' | 'run_id' | 'name' | 'version' | 'publisher'>;

const NO_SOURCE: Source = { source_id: null, run_id: null, name: null, version: null, publisher: null };

/** Where the code of a canister came from, as the contract shows it. */
export function originAnswer(row: CanisterRow): Answer {
  const { origin, origin_by: by, origin_at: at } = row;
  return {
    kind: origin.kind,
    changed_outside: isChangedOutside(row),
    ...sourceOf(origin),
    by,
    at: at.toISOString(),
  };
}

/** While an action runs, the code may be new already and not written down yet. */
function isChangedOutside({
  module_hash: hash,
  origin_hash: recorded,
  action_id: action,
}: CanisterRow): boolean {
  return action === null && hash !== recorded;
}

function sourceOf(origin: CodeOrigin): Source {
  switch (origin.kind) {
    case 'dapp': {
      const { dappId, name, version, publisher } = origin;
      return { ...NO_SOURCE, source_id: dappId, name, version, publisher };
    }
    case 'registry': {
      const { registryId, name, version } = origin;
      return { ...NO_SOURCE, source_id: registryId, name, version: String(version) };
    }
    case 'run':
      return { ...NO_SOURCE, source_id: origin.deployId, run_id: origin.runId, name: origin.name };
    case 'file':
    case 'empty':
    case 'unknown':
      return NO_SOURCE;
  }
}
