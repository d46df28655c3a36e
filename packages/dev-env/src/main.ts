// `npm run dev`: the product with reload on change, the console served by Vite with hot replacement.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './programs.ts';

const children: ChildProcess[] = [];
const port = process.env.PORT ?? '4000';
/** Browsers see the console where Vite serves it; Vite hands everything else on to the server. */
const consolePort = process.env.CONSOLE_PORT ?? '5173';
/** What the server runs; the console is Vite's to watch. */
const watched = [
  'apps/server/src',
  ...['contract', 'candid', 'wasm', 'store', 'ic', 'replica', 'network'].map(
    (name) => `packages/${name}/src`,
  ),
];

function start(command: string, args: readonly string[], env: Readonly<Record<string, string>>): void {
  const child = spawn(command, [...args], { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
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

start(
  process.execPath,
  [
    ...watched.map((folder) => `--watch-path=${folder}`),
    '--watch-preserve-output',
    '--import=./packages/dev-env/src/quiet-watch.ts',
    'apps/server/src/main.ts',
    ...process.argv.slice(2),
  ],
  {
    PUBLIC_URL: `http://localhost:${consolePort}`,
  },
);
start(
  process.execPath,
  [path.join(root, 'node_modules/vite/bin/vite.js'), 'apps/console', '--port', consolePort, '--strictPort'],
  { CANNERY_URL: `http://localhost:${port}` },
);
