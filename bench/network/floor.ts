import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onCore, SERVER_CORE } from '../pinned.ts';

const PROGRAM = fileURLToPath(new URL('./floor-server.ts', import.meta.url));

/** The bare server on the core of the network. */
export async function startFloor(): Promise<AsyncDisposable & { readonly url: string }> {
  const [program, args] = onCore(SERVER_CORE, process.execPath, [PROGRAM]);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: `http://127.0.0.1:${first.toString().trim()}`,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}
