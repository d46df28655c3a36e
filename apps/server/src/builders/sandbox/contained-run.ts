import { fileURLToPath } from 'node:url';
import { BuildError } from '../build-error.ts';
import { type ProcessCommand, runProcess } from '../process/run-process.ts';
import { stepBytes } from '../process/step-memory.ts';
import { diskOf } from '../tenant/disk-of.ts';
import { createControlGroup } from './cgroup.ts';
import { checkRoom, fullDisk, watchResources } from './resource-watch.ts';
import type { BuildFolders, SandboxLimits, SandboxStep, StepResult, WrittenFolder } from './sandbox.ts';
import { findMeans, limitsOf } from './step-bounds.ts';

/**
 * What has to be written in a build's folder before its first step, and only once: later steps mount it. A build without a
 * step does without.
 */
export function beforeFirstStep(
  write: (folders: BuildFolders) => Promise<void>,
): (folders: BuildFolders) => Promise<void> {
  const written = new WeakMap<WrittenFolder, Promise<void>>();
  return (folders) => {
    const { written: build } = folders;
    const begun = written.get(build) ?? write(folders);
    written.set(build, begun);
    return begun;
  };
}

const enterGroup = fileURLToPath(new URL('enter-group.sh', import.meta.url));

/** Exit code a shell gives for a command ended by SIGKILL (128 + 9). */
const KILLED = 137;

interface ContainedOptions {
  /** Ends what killing the process group does not reach. */
  killRest?(): Promise<void>;
}

/**
 * Runs the command that starts a step, under a control group where there is one and under watch where not.
 * @throws BuildError when the disk has no room for it, and when there is no group although this machine has them
 */
export async function runContained(
  folders: BuildFolders,
  step: SandboxStep,
  most: SandboxLimits,
  command: ProcessCommand,
  options: ContainedOptions = {},
): Promise<StepResult> {
  const given = limitsOf(most, step);
  const { isBounded, mostBytes } = folders.written;
  const limits = { ...given, diskBytes: Math.min(given.diskBytes, mostBytes) };
  await checkRoom(folders.root);
  const { groups } = await findMeans();
  const group = groups ? await createControlGroup(limits) : null;
  // Nothing else would bound its memory.
  if (groups && group === null) throw new BuildError('The control group of the step could not be made.');
  const folder = diskOf(folders.written);
  const written = { folder, shared: isBounded ? folders.root : folder, isBounded };
  const exceeded = new AbortController();
  const watches: { stop(): void }[] = [];
  let hasUsedTooMuch = false;
  try {
    const start = group
      ? { file: 'sh', args: [enterGroup, ...group.joinFiles, '--', command.file, ...command.args] }
      : { file: command.file, args: command.args };
    const result = await runProcess(
      { ...command, ...start },
      {
        timeoutMs: step.timeoutMs,
        signal: AbortSignal.any([step.signal, exceeded.signal]),
        onLine: step.onLine,
        killRest: async () => {
          await options.killRest?.();
          await group?.kill();
        },
        onStart: (pid) => {
          const isMemoryExceeded = async (): Promise<boolean> => {
            hasUsedTooMuch = await (group?.isExceeded() ?? usesMoreThan(limits.memoryBytes, pid));
            return hasUsedTooMuch;
          };
          const onExceeded = (reason: string): void => exceeded.abort(new Error(reason));
          watches.push(watchResources({ ...written, limits, isMemoryExceeded, onExceeded }));
        },
      },
    );
    const full = result.exitCode === 0 ? null : await fullDisk(written, limits);
    const killed =
      result.signal === 'SIGKILL' ||
      result.exitCode === KILLED ||
      (result.exitCode !== 0 && (await group?.isExceeded()) === true);
    const byKernel = 'it was killed, most likely because it used too much memory';
    const stopped = result.stopped ?? full ?? (killed ? byKernel : null);
    return { exitCode: result.exitCode, stopped, isOutOfMemory: hasUsedTooMuch || stopped === byKernel };
  } finally {
    for (const watch of watches) watch.stop();
    await group?.remove();
  }
}

async function usesMoreThan(bytes: number, pid: number): Promise<boolean> {
  return (await stepBytes(pid)) > bytes;
}
