import { bubblewrapSandbox } from '../src/build/bubblewrap.ts';
import { findProgram } from '../src/build/choose-sandbox.ts';
import { namespaceSandbox } from '../src/build/namespaces.ts';
import { defaultLimits, type Sandbox } from '../src/build/sandbox.ts';
import type { Toolchain } from '../src/build/toolchain.ts';

/** Every mechanism of isolation that this machine has. @param dataDir a folder that no build may see */
export async function sandboxesHere(toolchain: Toolchain, dataDir: string): Promise<Sandbox[]> {
  const common = { toolchain, hidden: { dataDir, projectRoot: process.cwd() }, limits: defaultLimits };
  const program = await findProgram('bwrap', process.env.PATH ?? '');
  return [
    namespaceSandbox({ ...common, asRoot: process.getuid?.() === 0 }),
    ...(program === null ? [] : [bubblewrapSandbox({ ...common, program })]),
  ];
}
