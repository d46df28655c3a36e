import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { asServer } from '../pinned.ts';

const PROGRAM = fileURLToPath(new URL('./floor-server.ts', import.meta.url));

/** The bare server on the core of the network; `spread` lets it have all cores. */
export async function startFloor({
  spread = false,
} = {}): Promise<AsyncDisposable & { readonly url: string }> {
  const [program, args] = asServer(spread, process.execPath, [PROGRAM]);
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
