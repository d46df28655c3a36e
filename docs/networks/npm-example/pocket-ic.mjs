// Starts the network for tests before they run, and ends it after them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const program = createRequire(import.meta.url).resolve('cannery-network');

export default async function setup({ provide }) {
  const server = spawn(process.execPath, [program, 'pocket-ic'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(server.stdout), 'line');
  provide('pocketIcUrl', line.replace('pocket-ic ready: ', ''));
  return () => server.kill();
}
