// A start of a network that kills itself while it puts its system canisters in place.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Death, laterServices, startServices } from './other-services.ts';

interface KilledStart {
  readonly dataDir: string;
  readonly service: string;
  /** A later module of the service; the one that there is where not given. */
  readonly module?: string;
  readonly death: Death;
}

const FILE = fileURLToPath(import.meta.url);

/** Carries it out in a process. @throws Error when that did not end by SIGKILL */
export async function killStart(start: KilledStart): Promise<void> {
  const child = spawn(process.execPath, [FILE, JSON.stringify(start)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = child.stderr.toArray();
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal !== 'SIGKILL') {
    throw new Error(`It was not killed: ${Buffer.concat((await errors) as Buffer[]).toString()}`);
  }
}

if (import.meta.main) {
  const { dataDir, service, module, death } = JSON.parse(process.argv[2] ?? '') as KilledStart;
  const canisters = module === undefined ? undefined : await laterServices(service, module);
  await startServices({ dataDir, services: service, death, ...(canisters && { canisters }) });
  process.exit(0);
}
