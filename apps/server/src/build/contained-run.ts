import { fileURLToPath } from 'node:url';
import { createControlGroup } from './cgroup.ts';
import { watchResources } from './resource-watch.ts';
import { type ProcessCommand, runProcess } from './run-process.ts';
import type { BuildFolders, SandboxLimits, SandboxStep, StepResult } from './sandbox.ts';

const enterGroup = fileURLToPath(new URL('enter-group.sh', import.meta.url));

/** Exit code a shell gives for a command ended by SIGKILL (128 + 9). */
const KILLED = 137;

export interface ContainedOptions {
  /** Ends what killing the process group does not reach. */
  killRest?(): Promise<void>;
}

/** Runs the command that starts a step, under a control group where there is one and under watch where not. */
export async function runContained(
  folders: BuildFolders,
  step: SandboxStep,
  limits: SandboxLimits,
  command: ProcessCommand,
  options: ContainedOptions = {},
): Promise<StepResult> {
  const group = await createControlGroup(limits);
  const exceeded = new AbortController();
  const watches: { stop(): void }[] = [];
  const start = group
    ? { file: 'sh', args: [enterGroup, ...group.joinFiles, '--', command.file, ...command.args] }
    : { file: command.file, args: command.args };
  try {
    const result = await runProcess(
      { ...command, ...start },
      {
        timeoutMs: step.timeoutMs,
        signal: AbortSignal.any([step.signal, exceeded.signal]),
        onLine: step.onLine,
        killRest: options.killRest,
        onStart: (pid) => {
          const memory = group ? null : { pid, bytes: limits.memoryBytes };
          const onExceeded = (reason: string): void => exceeded.abort(new Error(reason));
          watches.push(
            watchResources({ folder: folders.root, diskBytes: limits.diskBytes, memory, onExceeded }),
          );
        },
      },
    );
    const killed = result.signal === 'SIGKILL' || result.exitCode === KILLED;
    const byKernel = 'it was killed, most likely because it used too much memory';
    return { exitCode: result.exitCode, stopped: result.stopped ?? (killed ? byKernel : null) };
  } finally {
    for (const watch of watches) watch.stop();
    await group?.remove();
  }
}
