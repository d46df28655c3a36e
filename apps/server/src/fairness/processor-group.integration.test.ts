import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readFile, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const execute = promisify(execFile);
const ROOT = '/sys/fs/cgroup/cpu';
const canMakeGroups = await access(join(ROOT, 'cpu.shares'), constants.W_OK).then(
  () => true,
  () => false,
);

const modules = {
  group: new URL('./processor-group.ts', import.meta.url).href,
  builds: new URL('../builders/sandbox/cgroup.ts', import.meta.url).href,
};
/** A server, what works for tenants beside it, and a build: each tells the group that it competes in. */
const SERVER = `
  import { execFileSync, spawn } from 'node:child_process';
  import { readFileSync } from 'node:fs';
  import { joinServerGroup, weighAsOne } from '${modules.group}';
  import { createControlGroup } from '${modules.builds}';
  const groupOf = (id = 'self') => /:cpu:(.*)/.exec(readFileSync(\`/proc/\${id}/cgroup\`, 'utf8'))[1];
  if (process.argv[1] !== 'programs') {
    await joinServerGroup();
    const build = await createControlGroup({ memoryBytes: 1e8, processes: 10 });
    const cpu = build.joinFiles.find((file) => file.includes('/cpu/'));
    const shares = readFileSync(cpu.replace('cgroup.procs', 'cpu.shares'), 'utf8').trim();
    const beside = execFileSync(process.execPath, [...process.execArgv, 'programs'], { encoding: 'utf8' });
    const child = spawn('sleep', ['60']);
    await weighAsOne(child.pid);
    const network = groupOf(child.pid);
    child.kill();
    await new Promise((ended) => child.once('exit', ended));
    console.log(JSON.stringify({ network, server: groupOf(), build: cpu, shares, programs: beside.trim() }));
    await build.remove();
  } else {
    const { joinProgramsGroup } = await import('${modules.group}');
    await joinProgramsGroup();
    console.log(groupOf());
  }`;

async function start(): Promise<Record<'server' | 'network' | 'build' | 'shares' | 'programs', string>> {
  const { stdout } = await execute(process.execPath, ['--input-type=module', '--eval', SERVER]);
  return JSON.parse(stdout) as Awaited<ReturnType<typeof start>>;
}

test.skipIf(!canMakeGroups)(
  'builds and programs of tenants give way to the server inside its group, which is one of the machine',
  async () => {
    const { server, network, build, shares, programs } = await start();
    expect(server).toMatch(/\/cannery-server-[\w-]{36}$/);
    expect(dirname(dirname(build))).toBe(join(ROOT, server));
    expect(shares).toBe('102');
    expect(programs).toBe(`${server}/programs`);
    expect(network).toBe(`${server}/network`);
    const sharesOf = async (group: string): Promise<string> =>
      (await readFile(join(ROOT, group, 'cpu.shares'), 'utf8')).trim();
    expect(await sharesOf(server)).toBe('3072');
    expect(await sharesOf(programs)).toBe('36');
    expect(await sharesOf(network)).toBe('1024');

    // The next server removes what an ended one has left, and nothing of one that runs.
    const next = await start();
    await expect(access(join(ROOT, server))).rejects.toThrow('ENOENT');
    await rmdir(join(ROOT, next.network));
    await rmdir(join(ROOT, next.programs));
    await rmdir(join(ROOT, next.server));
  },
);
