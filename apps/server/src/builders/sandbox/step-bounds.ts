import { callFilter, filterWords } from '../process/call-filter.ts';
import { createControlGroup } from './cgroup.ts';
import { findProgram } from '../process/machine-paths.ts';
import { defaultLimits, type SandboxLimits, type SandboxStep } from './sandbox.ts';

/** How a step is bounded by what is there on this machine, besides its control group. */
export interface StepBounds {
  /** Most processes of its user; null where a control group bounds those of the step, which no other step counts for. */
  readonly processes: number | null;
  /** Most bytes of memory of each process; null where a control group bounds all of them together. */
  readonly processBytes: number | null;
  /** Most bytes of each folder that lies in memory. */
  readonly temporaryBytes: number;
  /** Words before the step's command that put a filter of system calls over it; none where there is nothing to do it with. */
  readonly filter: readonly string[];
}

/** What this machine has to bound a step with. */
export interface Means {
  /** Whether control groups can be made, which count every kind of memory. */
  readonly groups: boolean;
  /** Whether they bound processes, too. */
  readonly groupProcesses: boolean;
  /** perl, which sets a filter of system calls; null where there is none that a step sees. */
  readonly perl: string | null;
}

/** Folders that a step sees as the machine has them. */
const SEEN_PATH = '/usr/bin:/bin';
/** Most bytes of /tmp and of /dev/shm, each. */
const TEMPORARY_BYTES = 1024 ** 3;
/**
 * Bytes that a program may ask for and never use, which count all the same (RLIMIT_DATA). Node 26 does so with 530 MB for what
 * V8 compiles; what WebAssembly and other programs only set aside, without the right to write to it, does not count.
 */
const RESERVED_BYTES = 1024 ** 3;
/** Part of a step's memory that each of the two may take where they are not counted with the rest. */
const TEMPORARY_SHARE = 1 / 8;

const HOW_TO_GROUP = 'Let the server make control groups: run it as root.';

let found: Promise<Means> | undefined;

async function look(): Promise<Means> {
  const group = await createControlGroup(defaultLimits);
  await group?.remove();
  return {
    groups: group !== null,
    groupProcesses: group?.boundsProcesses === true,
    perl: await findProgram('perl', SEEN_PATH),
  };
}

/** What this machine has; found out once. */
export function findMeans(): Promise<Means> {
  found ??= look();
  return found;
}

/** Works as on a machine that has only so much, until it is disposed of; null for what this machine has. For tests. */
export function useMeans(means: Means | null): Disposable {
  found = means === null ? undefined : Promise.resolve(means);
  return {
    [Symbol.dispose]: () => {
      found = undefined;
    },
  };
}

/** The limits of a step: those of the sandbox, and what the step has instead. */
export function limitsOf(limits: SandboxLimits, step: Pick<SandboxStep, 'limits'>): SandboxLimits {
  return { ...limits, ...step.limits };
}

function boundsWith(
  { groups, groupProcesses, perl }: Means,
  { memoryBytes, processes }: SandboxLimits,
): StepBounds {
  const filter = callFilter(groups ? 'disk' : 'disk and memory');
  return {
    processes: groups && groupProcesses ? null : processes,
    processBytes: groups ? null : memoryBytes + RESERVED_BYTES,
    temporaryBytes: Math.min(
      TEMPORARY_BYTES,
      groups ? memoryBytes : Math.floor(memoryBytes * TEMPORARY_SHARE),
    ),
    filter: perl === null || filter === null ? [] : filterWords(perl, filter),
  };
}

/** How a step of these limits is bounded here. */
export async function boundsOf(limits: SandboxLimits): Promise<StepBounds> {
  return boundsWith(await findMeans(), limits);
}

/** What the kernel of this machine does not keep, and what the operator does about it. */
export function gapsOf({ groups, perl }: Means): string[] {
  const gaps: string[] = [];
  if (!groups)
    gaps.push(
      'The kernel bounds the memory of each process of a build here, not of all of them together: ' +
        `their sum is looked at ten times a second, and what sockets hold is not in it. ${HOW_TO_GROUP}`,
    );
  if (perl === null || callFilter('disk') === null)
    gaps.push(
      'Builds may take room on the disk without writing to it here, faster than the server looks' +
        `${groups ? '' : ', and hold memory that belongs to no process'}. Install perl (Debian, Ubuntu: apt install perl-base).`,
    );
  return gaps;
}
