import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { BodyOf, DeployType, planEndpoints, ProjectPlanAnswer } from '@cannery/contract';
import { projectRoots } from '../../../builders/project/project-roots.ts';
import { readSettings } from '../../../builders/project/read-settings.ts';
import { ProjectFileError } from '../../../builders/source/project-file-error.ts';
import type { Project } from '../../../builders/project/plan.ts';
import { rustLeftOut } from '../../../builders/project/left-out.ts';
import { readCanistersInThread } from '../../../builders/project/plan-thread.ts';
import { rustProblem } from '../../../builders/sandbox/rust-toolchain.ts';
import { removeFolder } from '../../../builders/process/remove-folder.ts';
import type { Actor, AppContext } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { userTenant } from '../../../fairness/callers.ts';
import { FairSemaphore } from '../../../fairness/fair-semaphore.ts';
import { newestOf } from '../../../git/repository/read-refs.ts';
import { spendableBy } from '../../canister/lifecycle/check-creations.ts';
import {
  placeOfDeploy,
  type RepositoryPlace,
  findPlace,
  requireRepository,
  withSourceAt,
} from '../../repository/repository-place.ts';
import { rootDirectoryOf } from './create-deploy.ts';
import { rootsFrom } from './roots-from.ts';
import { SITE } from '../publish/prepare-canisters.ts';
import { creationCost } from '../store/starting-cycles.ts';
import { canistersOf, type DeployRow } from '../store/store.ts';

/** How long the files of a branch may take to be had, in milliseconds. */
const LIMIT_MS = 30_000;
/** Characters of a text of the project in an answer. */
const SHOWN = 500;
const MOTOKO_ONLY = 'the type MOTOKO deploys canisters of Motoko only';

/** Each reads files of a repository into memory and looks at them in a thread. */
const turns = new FairSemaphore({ most: 2, perTenant: 1, waitingPerTenant: 4, what: 'plans' });

/** Where a project is, and what is known of its deploy. */
interface Planned extends Pick<DeployRow, 'type' | 'branch'> {
  readonly settings: Pick<DeployRow['settings'], 'root_directory' | 'starting_cycles'>;
  readonly place: RepositoryPlace;
  /** Canisters that the deploy has, in the order of their creation. */
  readonly existing: readonly { canisterId: string; name: string | null }[];
}

/**
 * Which canisters a new deploy of a branch would create; nothing is built.
 * @throws AppError repository_not_found, git_host_unavailable, not_found for a branch that does not exist
 */
export async function planDraft(
  ctx: AppContext,
  user: Actor,
  body: BodyOf<typeof planEndpoints.draft>,
): Promise<ProjectPlanAnswer> {
  const place = await findPlace(ctx, user, { ...body, name: body.repo_name });
  // A site has one canister whatever its files are, so nothing else looks whether the user may read it.
  if (body.deploy_type === 'STATIC_SITE') await requireRepository(ctx, user, place);
  return plan(ctx, user, {
    place,
    type: body.deploy_type,
    branch: body.branch.trim(),
    settings: { root_directory: rootDirectoryOf(body.root_directory ?? ''), starting_cycles: {} },
    existing: [],
  });
}

/** Which canisters the next run of a deploy would create. @throws AppError as `planDraft` */
export async function planDeploy(
  ctx: AppContext,
  user: Actor,
  deploy: DeployRow,
): Promise<ProjectPlanAnswer> {
  const place = placeOfDeploy(ctx, deploy);
  const existing = (await canistersOf(ctx.db, [deploy.id])).get(deploy.id) ?? [];
  return plan(ctx, user, { ...deploy, place, existing });
}

async function plan(ctx: AppContext, user: Actor, planned: Planned): Promise<ProjectPlanAnswer> {
  const balance = await spendableBy(ctx, user);
  const { canisterCreateCost: creation } = ctx.config;
  const known = { balance: balance.toString(), creation: creation.toString() };
  try {
    const { canisters, roots, problem } = await turns.take(userTenant(user.id), () =>
      canistersIn(ctx, user, planned),
    );
    const rows = rowsOf(ctx, planned, canisters);
    const cost = rows.reduce((sum, { cycles }) => sum + BigInt(cycles), 0n);
    return { ...known, canisters: rows, cost: cost.toString(), problem, roots };
  } catch (error) {
    if (!(error instanceof ProjectFileError)) throw error;
    return { ...known, canisters: [], cost: '0', problem: shownProblem(error), roots: [] };
  }
}

type Row = ProjectPlanAnswer['canisters'][number];

/** What the project says of a canister, as far as the plan tells it. */
type Seen = Pick<Row, 'name' | 'kind' | 'reason'>;

function rowsOf(ctx: AppContext, planned: Planned, canisters: readonly Seen[]): Row[] {
  const { existing } = planned;
  const ids = new Map(
    existing.flatMap(({ name, canisterId }) => (name === null ? [] : [[name, canisterId]])),
  );
  // As a run does: canisters without a name become the first ones that have none.
  const free = existing.filter(({ name }) => name === null).map(({ canisterId }) => canisterId);
  return canisters.map((one): Row => {
    if (one.kind === 'left') return { ...one, canister_id: null, cycles: '0' };
    const id = ids.get(one.name) ?? free.shift() ?? null;
    const cycles = id === null ? creationCost(ctx, planned, one.name) : 0n;
    return { ...one, canister_id: id, cycles: cycles.toString() };
  });
}

interface SeenProject extends Pick<ProjectPlanAnswer, 'roots' | 'problem'> {
  readonly canisters: readonly Seen[];
}

const shownProblem = (error: ProjectFileError): string => error.message.slice(0, SHOWN);

async function canistersIn(ctx: AppContext, user: Actor, planned: Planned): Promise<SeenProject> {
  const { type, place, branch } = planned;
  const { root_directory: root } = planned.settings;
  if (type === 'STATIC_SITE') {
    return { canisters: [{ name: SITE, kind: 'site', reason: null }], roots: [], problem: null };
  }
  const folder = join(ctx.config.dataDir, 'builds', `plan-${randomUUID()}`);
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const gitDir = join(folder, 'fetched.git');
    const files = await withSourceAt(ctx, user, place, { branch, gitDir, signal }, async (source) => {
      const commit = await newestOf(source.gitDir, branch);
      if (commit === null) throw notFound('Branch');
      return readSettings({ gitDir: source.gitDir, commit, root }, signal);
    });
    const network = ctx.config.isMainnet ? 'ic' : 'local';
    const offered = async () => rootsFrom(root, await projectRoots(files));
    try {
      const project = await readCanistersInThread(files, { network }, signal);
      const roots = project.settings === null ? await offered() : [];
      return { canisters: seenIn(project, type, rustProblem(ctx.rust)), roots, problem: null };
    } catch (error) {
      if (!(error instanceof ProjectFileError)) throw error;
      return { canisters: [], roots: await offered(), problem: shownProblem(error) };
    }
  } finally {
    await removeFolder(folder);
  }
}

function seenIn({ canisters }: Project, type: DeployType, noRust: string | null): Seen[] {
  return canisters.map((given): Seen => {
    const one = given.kind === 'rust' && noRust !== null ? rustLeftOut(given, noRust) : given;
    const { name, kind } = one;
    if (kind === 'left') return { name, kind, reason: one.reason.slice(0, SHOWN) };
    if (type === 'MOTOKO' && kind !== 'motoko') return { name, kind: 'left', reason: MOTOKO_ONLY };
    return { name, kind, reason: null };
  });
}
