import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EngineConfiguration } from '@cannery/replica/engine/host';
import type { ProvisionalPolicy } from '@cannery/replica/state/provisional';
import type { Service } from './chosen-services.ts';

/** What the process of a first start is told; survives a structured clone. */
export interface FirstStart {
  readonly services: ReadonlySet<Service>;
  readonly provisional: ProvisionalPolicy;
  readonly engine: Pick<EngineConfiguration, 'dataDir' | 'instructionLimits' | 'fees' | 'stopTime'>;
}

/**
 * Puts the system canisters into a network that has nothing yet, in a process that ends: to check and to compile modules takes memory
 * that allocators keep (decision 0162). Resolves when it has ended, whatever became of it: `installServices` ends what is missing.
 */
export async function prepareFirstStart(first: FirstStart): Promise<void> {
  const program = fileURLToPath(new URL('./first-start-process.ts', import.meta.url));
  const child = fork(program, {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    // Where no process can be started, this one does it all.
    child.once('error', () => resolve());
  });
  child.send(first, () => undefined);
  await ended;
}
