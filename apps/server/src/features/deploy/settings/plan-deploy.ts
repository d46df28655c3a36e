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
import type { RepositoryLook } from '../../../builders/site/detect-framework.ts';
import { removeFolder } from '../../../builders/process/remove-folder.ts';
import type { Actor, AppContext } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { userTenant } from '../../../fairness/callers.ts';
import { FairSemaphore } from '../../../fairness/fair-semaphore.ts';
import { spendableBy } from '../../canister/lifecycle/check-creations.ts';
import {
  placeOfDeploy,
  type RepositoryPlace,
  findPlace,
  requireRepository,
  withSourceAt,
} from '../../repository/repository-place.ts';
import { templates } from '../../repository/templates.ts';
import { rootDirectoryOf } from './create-deploy.ts';
import { newestCommit, lookAt, recognise } from './detect-site.ts';
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
  /** Whether its type can still be another one. */
  readonly isDraft?: true;
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
  const settings = { root_directory: rootDirectoryOf(body.root_directory ?? ''), starting_cycles: {} };
  if (body.template !== undefined) {
    const template = templates.find(({ id }) => id === body.template);
    if (template === undefined) throw notFound('Starter template');
    const rows = rowsOf(ctx, { settings, existing: [] }, asSeen(template.canisters));
    return { ...(await known(ctx, user)), ...costOf(rows), problem: null, roots: [] };
  }
  const place = await findPlace(ctx, user, { ...body, name: body.repo_name });
  // A site has one canister whatever its files are, so nothing else looks whether the user may read it.
  if (body.deploy_type === 'STATIC_SITE') await requireRepository(ctx, user, place);
  return plan(ctx, user, {
    place,
    type: body.deploy_type,
    branch: body.branch.trim(),
    settings,
    existing: [],
    isDraft: true,
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

/** What an account can spend, and what a canister costs. */
async function known(ctx: AppContext, user: Actor): Promise<Pick<ProjectPlanAnswer, 'balance' | 'creation'>> {
  const balance = await spendableBy(ctx, user);
  return { balance: balance.toString(), creation: ctx.config.canisterCreateCost.toString() };
}

async function plan(ctx: AppContext, user: Actor, planned: Planned): Promise<ProjectPlanAnswer> {
  const account = await known(ctx, user);
  try {
    const { canisters, ...seen } = await turns.take(userTenant(user.id), () =>
      canistersIn(ctx, user, planned),
    );
    return { ...account, ...costOf(rowsOf(ctx, planned, canisters)), ...seen };
  } catch (error) {
    if (!(error instanceof ProjectFileError)) throw error;
    return { ...account, canisters: [], cost: '0', problem: shownProblem(error), roots: [] };
  }
}

type Row = ProjectPlanAnswer['canisters'][number];

/** What the project says of a canister, as far as the plan tells it. */
type Seen = Pick<Row, 'name' | 'kind' | 'reason'>;

const asSeen = (canisters: readonly Pick<Seen, 'name' | 'kind'>[]): Seen[] =>
  canisters.map((one) => ({ ...one, reason: null }));

function costOf(canisters: Row[]): Pick<ProjectPlanAnswer, 'canisters' | 'cost'> {
  return { canisters, cost: canisters.reduce((sum, { cycles }) => sum + BigInt(cycles), 0n).toString() };
}

function rowsOf(
  ctx: AppContext,
  planned: Pick<Planned, 'settings' | 'existing'>,
  canisters: readonly Seen[],
): Row[] {
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

interface SeenProject extends Pick<ProjectPlanAnswer, 'roots' | 'problem' | 'settings_file' | 'better_type'> {
  readonly canisters: readonly Seen[];
}

const shownProblem = (error: ProjectFileError): string => error.message.slice(0, SHOWN);

async function canistersIn(ctx: AppContext, user: Actor, planned: Planned): Promise<SeenProject> {
  const { type, place, branch } = planned;
  const { root_directory: root } = planned.settings;
  if (type === 'STATIC_SITE') {
    return { canisters: asSeen([{ name: SITE, kind: 'site' }]), roots: [], problem: null };
  }
  const folder = join(ctx.config.dataDir, 'builds', `plan-${randomUUID()}`);
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const gitDir = join(folder, 'fetched.git');
    const { files, look } = await withSourceAt(ctx, user, place, { branch, gitDir, signal }, async (lent) => {
      const commit = await newestCommit(lent.gitDir, branch);
      const look = planned.isDraft ? await lookAt(lent.gitDir, commit, root) : null;
      return { look, files: await readSettings({ gitDir: lent.gitDir, commit, root }, signal) };
    });
    const network = ctx.config.isMainnet ? 'ic' : 'local';
    const offered = async () => rootsFrom(root, await projectRoots(files));
    try {
      const project = await readCanistersInThread(files, { network }, signal);
      const roots = project.settings === null ? await offered() : [];
      const canisters = seenIn(project, type, rustProblem(ctx.rust));
      const better = await betterType(canisters, look);
      return { canisters, roots, problem: null, settings_file: project.settings, ...better };
    } catch (error) {
      if (!(error instanceof ProjectFileError)) throw error;
      const better = await betterType([], look);
      return { canisters: [], roots: await offered(), problem: shownProblem(error), ...better };
    }
  } finally {
    await removeFolder(folder);
  }
}

/** The type that deploys what is there, where nothing of it, or only a part, is a canister of the asked type. */
async function betterType(
  canisters: readonly Seen[],
  look: RepositoryLook | null,
): Promise<Pick<SeenProject, 'better_type'>> {
  if (look === null) return {};
  if (canisters.some(({ reason }) => reason === MOTOKO_ONLY)) return { better_type: 'CUSTOM' };
  if (canisters.some(({ kind }) => kind !== 'left')) return {};
  const { framework } = await recognise(look);
  return framework === null ? {} : { better_type: 'STATIC_SITE' };
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
