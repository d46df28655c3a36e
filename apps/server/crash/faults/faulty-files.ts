// Loaded before a program under test (node --import): calls that write to files fail, from the n-th on and a number of them, as the
// file that FILES_FILE names says at each SIGUSR2: {"code":"EIO","after":3,"times":2}. Sockets, pipes and the output are left alone.
import fs from 'node:fs';
import fsp, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

type Call = (...given: unknown[]) => unknown;

const file = process.env['FILES_FILE'] ?? '';
const { readFileSync } = fs;
let plan = { code: 'EIO', after: 0, times: 0 };

process.on('SIGUSR2', () => {
  plan = JSON.parse(readFileSync(file, 'utf8')) as typeof plan;
});

/** The error of this call, or undefined. */
function due(syscall: string): Error | undefined {
  if (plan.times === 0) return undefined;
  if (plan.after > 0) {
    plan.after -= 1;
    return undefined;
  }
  plan.times -= 1;
  return Object.assign(new Error(`${plan.code}: made to fail, ${syscall}`), { code: plan.code, syscall });
}

/** Puts a function before one of an object. */
function before(target: object, name: string, make: (real: Call) => Call): void {
  const real = Reflect.get(target, name) as Call;
  Reflect.set(target, name, make(real.bind(target)));
}

const failing =
  (name: string) =>
  (real: Call): Call =>
  async (...given) => {
    const error = due(name);
    if (error !== undefined) throw error;
    return real(...given);
  };

for (const name of ['rename', 'mkdir', 'mkdtemp', 'writeFile', 'appendFile'])
  before(fsp, name, failing(name));
before(fsp, 'open', (real) => async (...given) => {
  const error = /[wa+]/.test(String(given[1] ?? 'r')) ? due('open') : undefined;
  if (error !== undefined) throw error;
  const handle = (await real(...given)) as FileHandle;
  for (const name of ['write', 'writeFile', 'sync', 'datasync']) before(handle, name, failing(name));
  return handle;
});
for (const name of ['writeSync', 'fsyncSync', 'renameSync']) {
  before(fs, name, (real) => (...given) => {
    // The log of the program goes to descriptor 1.
    const error = typeof given[0] === 'number' && given[0] < 3 ? undefined : due(name);
    if (error !== undefined) throw error;
    return real(...given);
  });
}
syncBuiltinESMExports();
