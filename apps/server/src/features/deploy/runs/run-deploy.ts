import { errorCodes } from '@cannery/contract';
import { warningsOfSites } from '../../../builders/site/site-warning.ts';
import type { BuildMachine } from '../../../builders/machine/build-machine.ts';
import type { Artifact, DeployCanisters } from '../../../builders/builder.ts';
import { builders } from '../../../builders/builders.ts';
import type { ChosenPart } from '../../../builders/project/choose-canisters.ts';
import { LeftOutError } from '../../../builders/project/left-out.ts';
import type { Waiting } from '../../../builders/disks/disk-room.ts';
import { ProjectFileError } from '../../../builders/source/project-file-error.ts';
import { openWorkspace, type Workspace } from '../../../builders/disks/workspace.ts';
import { since } from '../../../builders/step/step-runner.ts';
import { BuildError } from '../../../builders/build-error.ts';
import type { Actor, AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { type InstanceLog, openInstanceLog } from '../../../jobs/instance-log.ts';
import { builds, buildsUnderWay, buildTimes, runsEnded, runTimes } from '../../../metrics/instruments.ts';
import { SealError } from '../../../sealing.ts';
import { checkOutRun } from './check-out-run.ts';
import { findRun } from './find-run.ts';
import { notKeptText, RefusedRunError, refusalOf } from './refusal.ts';
import { lastLines, leftOutOfRun } from './last-lines.ts';
import { endCutOff, goBack } from './go-back.ts';
import {
  claimInstance,
  findInstance,
  noteOutcome,
  type RunOutcome,
  type RunRow,
  lockRuns,
  LostRunError,
  moveInstance,
  openRunsOf,
} from '../store/run-store.ts';
import {
  keepArtifact,
  recallArtifact,
  storeArtifact,
  type StoredArtifact,
} from '../artifacts/keep-artifact.ts';
import { openCanisters } from '../publish/open-canisters.ts';
import { orderPictures } from '../pictures/picture-queue.ts';
import { prepareCanisters, type PreparedCanister, SITE } from '../publish/prepare-canisters.ts';
import { publishArtifact } from '../publish/publish-artifact.ts';
import { siteCheckOf } from '../publish/site-check.ts';
import { MAX_CRASHES } from '../store/queue.ts';
import { type PatientRun, patientRun } from './wait-for-network.ts';
import { canistersOf, type DeployRow, noteLive } from '../store/store.ts';
import { type OpenedVariables, openVariables } from '../store/variables.ts';

/** The worker is being stopped in good order; what it runs starts again with the next worker. */
export class WorkerStoppingError extends Error {
  override readonly name = 'WorkerStoppingError';
}

const OTHER_KEY =
  'The secrets of this deploy cannot be read: they were sealed by another key than the server has now. ' +
  'Enter them again in the settings of the deploy, or give the server its former key (SECRETS_KEY_FILE).';

interface Run extends Pick<PatientRun, 'ctx' | 'network'> {
  readonly machine: BuildMachine;
  readonly instance: RunRow;
  readonly deploy: DeployRow;
  readonly user: Actor;
  readonly log: InstanceLog;
  readonly signal: AbortSignal;
  /** Makes the folders of the run, once. */
  readonly open: () => Promise<Workspace>;
  /** Null when the key of the server has changed since a secret was sealed. */
  readonly variables: OpenedVariables | null;
  /** What is kept with the run at its end, as far as it is known. */
  readonly outcome: RunOutcome;
  /** Work of the build for when the run is over. */
  readonly later: (() => Promise<void>)[];
  readonly onCommit: () => void;
}

/**
 * Runs a scheduled instance to its end, COMPLETED or FAILED; the last line of its log says what to do next.
 * @param onCommit called when it is known which commit is built
 * @throws WorkerStoppingError or a database error, after which the job is run again
 */
export async function runDeploy(
  ctx: AppContext,
  machine: BuildMachine,
  instanceId: string,
  signal: AbortSignal,
  onCommit: () => void = () => undefined,
): Promise<void> {
  const instance = await ctx.transact((tx) => claimInstance(tx, instanceId));
  if (instance === null) return;
  const { transact, db, log: serverLog } = ctx;
  const found = await findRun(db, { userId: instance.user_id, deployId: instance.deploy_id });
  const variables = await openVariables(ctx, found.deploy.id).catch((error: unknown) => {
    if (!(error instanceof SealError)) throw error;
    return null;
  });
  const secrets = (variables?.secrets ?? []).map((name) => variables?.values.get(name) ?? '');
  const log = await openInstanceLog({ transact, db, log: serverLog, instanceId, secrets });
  let folders: Promise<Workspace> | undefined;
  // What is published again was built before, and writes nothing here.
  const reserve = instance.source_id === null ? { reserve: waitingFor(log, signal) } : {};
  const open = (): Promise<Workspace> =>
    (folders ??= openWorkspace(machine, {
      owner: instance.user_id,
      id: instance.id,
      ...reserve,
    }));
  const outcome: RunOutcome = { leftOut: null, warnings: [] };
  const patient = patientRun(ctx, { log, signal });
  const about = { ...patient, machine, instance, log, signal, open, variables, outcome, onCommit, ...found };
  const run: Run = { ...about, later: [] };
  const lost = (error: unknown): void => {
    if (!(error instanceof LostRunError)) throw error;
    ctx.log.warn({ instanceId, reason: error.message }, 'a run was lost');
  };
  try {
    try {
      await stepThrough(run);
      await finish(run, 'COMPLETED');
    } catch (error) {
      if (error instanceof LostRunError) return lost(error);
      if (signal.aborted) await leave(run, signal.reason);
      if (error instanceof LeftOutError) outcome.leftOut = leftOutOfRun(error.deployed, error.left);
      const say = (line: string): void => log.say(line, 'publish');
      const lastLine = await goBack({ ...run, say }, failureText(run, error)).catch(lost);
      if (lastLine === undefined) return;
      log.say(lastLine);
      await finish(run, 'FAILED', error instanceof RefusedRunError ? error.artifact : undefined);
    }
    await doLater(run);
  } finally {
    patient.end();
    await (await folders?.catch(() => null))?.remove().catch((error: unknown) => {
      ctx.log.warn({ err: error, instanceId }, 'the folders of a run could not be removed yet');
    });
  }
}

/** How a build waits for room on the disk. */
function waitingFor(log: InstanceLog, signal: AbortSignal): Waiting {
  return { signal, onWait: () => log.say('Waiting for room on the disk: other runs have it.') };
}

/** Does what a build has left for when its result is live; the run has ended, so that a failure is for the operator. */
async function doLater({ ctx, instance, later, signal }: Run): Promise<void> {
  for (const work of later) {
    if (signal.aborted) return;
    await work().catch((error: unknown) => {
      ctx.log.warn({ err: error, instanceId: instance.id }, 'work after a run failed');
    });
  }
}

/** Puts the run back in line for the worker that comes next, or lets it be when another has it already. */
async function leave({ ctx, instance, log }: Run, reason: unknown): Promise<never> {
  await log.flush();
  if (reason instanceof WorkerStoppingError) {
    log.say('The server is being stopped. This run starts again when the server is back.');
    await log.flush();
    await ctx.transact((tx) => moveInstance(tx, instance, 'SCHEDULED'));
  }
  throw reason instanceof Error ? reason : new LostRunError('Another worker has taken the run over.');
}

/** @param refused what the run has built and must not publish before its owner has approved it */
async function finish(
  { ctx, instance, log, outcome }: Run,
  status: 'COMPLETED' | 'FAILED',
  refused?: StoredArtifact,
): Promise<void> {
  await log.flush();
  try {
    const { duration_ms: ms } = await ctx.transact(async (tx) => {
      // No run of the deploy is scheduled meanwhile: it would make void what is kept here, and would see the former run live.
      await lockRuns(tx, instance.deploy_id);
      const open = refused === undefined ? [] : await openRunsOf(tx, instance.deploy_id);
      const ended = await moveInstance(tx, instance, status);
      await noteOutcome(tx, instance.id, outcome);
      if (status === 'COMPLETED') {
        await noteLive(tx, instance);
        await orderPictures(ctx, tx, instance);
      }
      // A run that waits already has made it void.
      if (open.length === 1 && refused !== undefined)
        await keepArtifact(ctx, tx, ended, { ...refused, awaits: true });
      return ended;
    });
    runsEnded.add({ status });
    runTimes.took({ status }, ms ?? 0);
  } catch (error) {
    if (!(error instanceof LostRunError)) throw error;
    ctx.log.warn({ instanceId: instance.id, reason: error.message }, 'a run was lost at its end');
  }
}

/** An earlier attempt of the run has failed and was putting its canisters back. */
class GoingBackError extends Error {
  override readonly name = 'GoingBackError';
}

function failureText({ ctx, instance }: Run, error: unknown): string {
  if (error instanceof GoingBackError) return error.message;
  if (error instanceof BuildError || error instanceof ProjectFileError) return `Failed: ${error.message}`;
  if (error instanceof AppError) {
    const detail = error.detail === undefined ? '' : ` (${error.detail})`;
    return `Failed: ${error.message}${detail} ${errorCodes[error.code].nextStep}`;
  }
  ctx.log.error({ err: error, instanceId: instance.id }, 'a deploy failed for a reason of the server');
  return 'Failed: something went wrong on the server. Deploy again. If it happens again, look at the server log, or ask its operator to.';
}

async function stepThrough(run: Run): Promise<void> {
  const { ctx, machine, instance, deploy, user, network, log, signal } = run;
  const start = performance.now();
  const say: InstanceLog['say'] = (line, phase) => log.say(line, phase);
  if (instance.going_back !== null) throw new GoingBackError(instance.going_back);
  await endCutOff(ctx, user, deploy.id);
  if (instance.crashes >= MAX_CRASHES) {
    throw new BuildError(
      `The server ended unexpectedly ${instance.crashes} times while it ran this deploy, so the deploy is not run again. ` +
        'Look at the server log for the cause, or ask its operator to, then deploy again.',
    );
  }
  if (instance.attempt > 1) say(`The run starts again (attempt ${instance.attempt}).`);
  if (instance.crashes > 0) {
    say(
      `The server ended unexpectedly while it ran this deploy (${instance.crashes} of at most ${MAX_CRASHES} times).`,
    );
  }
  if (instance.source_id === null && deploy.type !== 'MOTOKO' && machine.sandbox.warning !== null)
    say(`Warning: ${machine.sandbox.warning}`);

  const { source_id: sourceId } = instance;
  const ready = sourceId === null ? await counted(run, build(run, start)) : await recall(run, sourceId);
  // Whoever rolls back or approves has seen what changes.
  const breakingChanges = sourceId === null ? deploy.settings.breaking_changes : 'publish';
  const [published, stored] = await Promise.allSettled([
    publishArtifact(
      { ctx, user, deploy, instanceId: instance.id, network, signal, say },
      { ...ready, breakingChanges, isPart: instance.chosen_canisters !== null },
    ),
    ready.artifact ?? storeArtifact(ctx, ready.prepared, signal),
  ]);
  if (published.status === 'rejected') throw refusalOf(run, published.reason, stored);
  await keep(run, stored);
  say(`==> Done in ${since(start)}`);
  for (const line of lastLines(published.value, ready.left, run.outcome)) say(line);
}

/** What is to be published, and where. */
interface Ready extends Pick<Artifact, 'left'> {
  readonly prepared: readonly PreparedCanister[];
  readonly canisters: DeployCanisters;
  /** Null when it is still to be put into the blob store. */
  readonly artifact: StoredArtifact | null;
}

/** Counts a build, whatever becomes of it. */
async function counted<T>({ deploy: { type }, signal }: Run, building: Promise<T>): Promise<T> {
  const begun = performance.now();
  let result = 'failed';
  buildsUnderWay.add(1);
  try {
    const built = await building;
    result = 'built';
    return built;
  } finally {
    if (result === 'failed' && signal.aborted) result = 'stopped';
    buildsUnderWay.add(-1);
    builds.add({ type, result });
    buildTimes.took({ type }, performance.now() - begun);
  }
}

/** Takes what an earlier run has published. */
async function recall(run: Run, sourceId: string): Promise<Ready> {
  const { ctx, instance, deploy, user, log, signal, open, outcome } = run;
  const say: InstanceLog['say'] = (line, phase) => log.say(line, phase);
  const commit = instance.commit_id === null ? '' : ` of commit ${instance.commit_id}`;
  const doing = instance.trigger_by === 'APPROVAL' ? 'Publishing what was built by' : 'Rolling back to';
  say(`==> ${doing} the run${commit}; nothing is built`, 'checkout');
  const source = await findInstance(ctx.db, user.id, deploy.id, sourceId);
  const { artifact, prepared } = await recallArtifact(ctx, sourceId, (await open()).root);
  const names = prepared.map(({ name }) => name);
  const canisters = await openCanisters(ctx, user, deploy, { names, signal, say });
  outcome.leftOut = source.left_out;
  return { prepared, canisters, left: [], artifact };
}

/** Keeps what is live now. It stays live when that cannot be done, such as on a full disk. */
async function keep(run: Run, stored: PromiseSettledResult<StoredArtifact>): Promise<void> {
  const { ctx, instance, log } = run;
  try {
    if (stored.status === 'rejected') throw stored.reason;
    await ctx.transact((tx) => keepArtifact(ctx, tx, instance, stored.value));
  } catch (error) {
    log.say(`This run cannot be rolled back to: ${notKeptText(run, error)}`);
  }
}

/** Checks the newest commit of the branch out, that of a tag or that of an earlier run, and builds it. */
async function build(run: Run, start: number): Promise<Ready> {
  const { ctx, machine, deploy, user, log, signal, later, variables } = run;
  if (variables === null) throw new BuildError(OTHER_KEY);
  const say: InstanceLog['say'] = (line, phase) => log.say(line, phase);
  const named = deploy.repo_url ?? `${deploy.repo_owner}/${deploy.repo_name}`;
  say(`==> Checking out ${checkedOut(run)} of ${named}`, 'checkout');
  const folders = await run.open();
  folders.warmUp();
  const links = await checkOutRun(run, folders);

  const { sandbox } = machine;
  const { settings } = deploy;
  const { root_directory: rootDirectory } = settings;
  if (!(await folders.source.isFolder(rootDirectory))) {
    throw new BuildError(
      `The root directory '${rootDirectory}' is not in the repository. Correct it in the settings of the deploy.`,
    );
  }
  sayVariables(run, variables);
  const deadline = start + ctx.config.build.timeoutSeconds * 1000;
  let canisters: DeployCanisters | undefined;
  const openFor = async (names: readonly string[]): Promise<DeployCanisters> =>
    (canisters ??= await openCanisters(ctx, user, deploy, { names, signal, say }));
  const artifact = await builders[deploy.type](
    {
      sandbox,
      folders,
      deadline,
      signal,
      say,
      onLine: (line) => log.line(line),
      afterwards: (work) => later.push(work),
    },
    {
      rootDirectory,
      variables: variables.values,
      buildCommand: settings.build_command ?? '',
      publishDirectory: settings.publish_directory ?? '',
      toolchain: machine.toolchain,
      rust: machine.rust,
      cratesIndex: ctx.config.rust.indexUrl,
      deployId: deploy.id,
      programs: machine.programs,
      keptModules: machine.keptModulesOf(user.id),
      memoryMegabytes: ctx.config.build.memoryMegabytes,
      siteLimits: ctx.config.site,
      siteCheck: siteCheckOf(variables, links, signal),
      operator: machine.operator,
      commandHasNetwork: ctx.config.build.commandHasNetwork,
      part: await partOf(run),
      deployWithout: settings.deploy_without,
      installArguments: new Map(Object.entries(settings.install_arguments)),
      network: ctx.config.isMainnet ? 'ic' : 'local',
      openWay: machine.openWay,
      openCanisters: openFor,
      packages: machine.packages,
      outsideGit: ctx.outsideGit,
    },
  );
  const prepared = await prepareCanisters(artifact.canisters, signal);
  canisters ??= await openFor([SITE]);
  run.outcome.leftOut = leftOutOfRun(artifact.canisters.length, artifact.left);
  run.outcome.warnings = warningsOfSites(artifact.canisters);
  return { prepared, canisters, left: artifact.left, artifact: null };
}

/** What a run builds, in the words of its log. */
function checkedOut({ instance, deploy }: Run): string {
  const { tag, rebuild_of: rebuilt, commit_id: commit } = instance;
  if (rebuilt !== null) return `the commit ${commit ?? ''}, as an earlier run did,`;
  return tag === null ? deploy.branch : `the tag ${tag}`;
}

/** What a run is limited to. */
async function partOf({ ctx, instance, deploy }: Run): Promise<ChosenPart | null> {
  const { chosen_canisters: canisters } = instance;
  if (canisters === null) return null;
  const known = (await canistersOf(ctx.db, [deploy.id])).get(deploy.id) ?? [];
  const filled = known.flatMap(({ name, kind }) => (name === null || kind === null ? [] : [name]));
  return { canisters, filled: new Set(filled) };
}

/** Says by their names what the commands of a build get. */
function sayVariables({ log }: Run, { values, secrets }: OpenedVariables): void {
  if (values.size === 0) return;
  const names = [...values.keys()].map((name) => (secrets.includes(name) ? `${name} (secret)` : name));
  log.say(`Variables of the settings: ${names.join(', ')}.`);
}
