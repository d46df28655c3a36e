import { spawnSync } from 'node:child_process';
import { bubblewrapSandbox } from '../../src/builders/sandbox/bubblewrap.ts';
import { findProgram } from '../../src/builders/process/machine-paths.ts';
import { namespaceSandbox } from '../../src/builders/sandbox/namespaces.ts';
import { defaultLimits, type Sandbox } from '../../src/builders/sandbox/sandbox.ts';
import type { Toolchain } from '../../src/builders/sandbox/toolchain.ts';

/** The program of bubblewrap, or null where it is not installed or may make no namespaces. */
export async function workingBubblewrap(): Promise<string | null> {
  const program = await findProgram('bwrap', process.env.PATH ?? '');
  const trial = ['--unshare-all', '--ro-bind', '/', '/', 'true'];
  return program !== null && spawnSync(program, trial).status === 0 ? program : null;
}

/** Every mechanism of isolation that this machine has. @param dataDir a folder that no build may see */
export async function sandboxesHere(toolchain: Toolchain, dataDir: string): Promise<Sandbox[]> {
  const common = { toolchain, hidden: { dataDir, projectRoot: process.cwd() }, limits: defaultLimits };
  const program = await workingBubblewrap();
  return [
    namespaceSandbox({ ...common, asRoot: process.getuid?.() === 0 }),
    ...(program === null ? [] : [bubblewrapSandbox({ ...common, program })]),
  ];
}

/** The same by names; for root also the one without its rights, where a build is the server's user on disk. */
export async function namedSandboxes(toolchain: Toolchain, dataDir: string): Promise<[string, Sandbox][]> {
  const found = await sandboxesHere(toolchain, dataDir);
  const hidden = { dataDir, projectRoot: process.cwd() };
  const rootless = namespaceSandbox({ toolchain, hidden, limits: defaultLimits, asRoot: false });
  const isRoot = process.getuid?.() === 0;
  const named = found.map((one): [string, Sandbox] => [`${one.name}${isRoot ? ' as root' : ''}`, one]);
  return isRoot ? [...named, ['namespaces without root', rootless]] : named;
}
