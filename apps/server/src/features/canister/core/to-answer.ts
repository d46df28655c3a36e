import type { CanisterAnswer } from '@cannery/contract';
import { daysUntilFreezing } from './freezing.ts';
import { type CanisterRow, keptFreezing } from './store.ts';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';
import { pictureAddress, takenPictureAddress } from '../../../http/site-pictures.ts';
import { servesHttp } from './serves-http.ts';
import type { CanisterPlace } from './places.ts';
import { currentPicture, type TakenPicture } from './taken-pictures.ts';

/** What an answer has besides the row of the canister. */
interface Around {
  /** Whether the network does not answer, so that the state is as of when it last did. */
  readonly isBehind?: boolean;
  /** The deploy that fills it. */
  readonly place?: CanisterPlace | undefined;
  /** The picture that was taken at the owner's word. */
  readonly taken?: TakenPicture | undefined;
  /** The console's origin as browsers see it. */
  readonly publicUrl: string;
}

/** A canister as the contract shows it; cycles become a number only here. */
export function toAnswer(row: CanisterRow, around: Around): CanisterAnswer {
  const { isBehind = false, place } = around;
  const freezing = keptFreezing(row);
  return {
    id: row.id,
    name: row.name,
    tags: row.tags,
    cycles: row.cycles === null ? null : Number(row.cycles),
    cycles_exact: row.cycles === null ? null : row.cycles.toString(),
    status: row.status,
    module_hash: row.module_hash,
    origin: originAnswer(row, place),
    serves_http: servesHttp(row) === true,
    picture: pictureOf(row, around),
    deploy: place === undefined ? null : deployOf(place),
    days_until_freezing:
      row.cycles === null || freezing === null ? null : daysUntilFreezing(row.cycles, freezing),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
    as_of: isBehind ? (row.refreshed_at ?? row.created_at).toISOString() : null,
  };
}

/** The newest picture of what the canister has now: taken at its owner's word, or after a run. */
function pictureOf(row: CanisterRow, { place, taken, publicUrl }: Around): string | null {
  const own = currentPicture(row, taken);
  const ofRun = place?.picture_of ?? null;
  if (own !== undefined && (ofRun === null || own.taken_at > (place?.picture_taken_at ?? own.taken_at)))
    return takenPictureAddress({ publicUrl }, row.id, own.digest);
  return ofRun === null ? null : pictureAddress({ publicUrl }, row.id, ofRun);
}

function deployOf(place: CanisterPlace): CanisterAnswer['deploy'] {
  return {
    id: place.deploy_id,
    name: place.name,
    github_repo_owner: place.repo_owner,
    repo_name: place.repo_name,
    url: place.repo_url,
    repository_deleted: place.repository_deleted,
    branch: place.branch,
  };
}

type Answer = NonNullable<CanisterAnswer['origin']>;
type Source = Pick<Answer, 'source_id' | 'run_id' | 'run' | 'name' | 'version' | 'publisher'>;

const NO_SOURCE: Source = {
  source_id: null,
  run_id: null,
  run: null,
  name: null,
  version: null,
  publisher: null,
};

/** Where the code of a canister came from, as the contract shows it. @param place the deploy that fills it */
export function originAnswer(row: CanisterRow, place?: CanisterPlace): Answer {
  const { origin, origin_by: by, origin_at: at } = row;
  return {
    kind: origin.kind,
    changed_outside: isChangedOutside(row),
    ...sourceOf(origin, place),
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

function sourceOf(origin: CodeOrigin, place: CanisterPlace | undefined): Source {
  switch (origin.kind) {
    case 'dapp': {
      const { dappId, name, version, publisher } = origin;
      return { ...NO_SOURCE, source_id: dappId, name, version, publisher };
    }
    case 'registry': {
      const { registryId, name, version } = origin;
      return { ...NO_SOURCE, source_id: registryId, name, version: String(version) };
    }
    case 'run': {
      const { deployId, runId, name } = origin;
      return { ...NO_SOURCE, source_id: deployId, run_id: runId, run: runOf(origin, place), name };
    }
    case 'file':
    case 'empty':
    case 'unknown':
      return NO_SOURCE;
  }
}

type RunOrigin = Extract<CodeOrigin, { kind: 'run' }>;

function runOf(
  { deployId, repositoryId, filledBy, ...own }: RunOrigin,
  place?: CanisterPlace,
): Answer['run'] {
  const { runId: id, number, commit = null } = filledBy ?? own;
  if (number === undefined) return null;
  const isSame = repositoryId !== undefined && repositoryId === place?.repository_id;
  return {
    id,
    number,
    commit,
    in_repository: isSame && place.deploy_id === deployId && !place.repository_deleted,
  };
}
