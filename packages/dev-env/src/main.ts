// `npm run dev`: the product with reload on change, the console served by Vite with hot replacement.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const children: ChildProcess[] = [];

function start(command: string, args: readonly string[]): void {
  const child = spawn(command, [...args], { cwd: root, stdio: 'inherit' });
  children.push(child);
  child.on('exit', () => {
    for (const other of children) other.kill('SIGTERM');
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}

start(process.execPath, [
  '--watch',
  '--watch-preserve-output',
  'apps/server/src/main.ts',
  ...process.argv.slice(2),
]);
start(path.join(root, 'node_modules/.bin/vite'), ['apps/console']);
