import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { options } from '../../apps/server/src/config/env.ts';
import { root } from '../steps/project.mjs';

const deploy = path.join(root, 'deploy');
const systemd = path.join(deploy, 'systemd');
const certificates = path.join(root, 'packages/dev-env/certificates');

const has = (program: string): boolean =>
  spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined;
const nginx = ['nginx', '/usr/sbin/nginx'].find(has);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cannery-setups-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!has('systemd-analyze'))('systemd takes the units without a complaint', () => {
  // It looks for the program, which is not installed here.
  const units = ['cannery.service', 'cannery@.service'].map((name) => {
    const text = readFileSync(path.join(systemd, name), 'utf8');
    expect(text).toContain('ExecStart=/opt/cannery/node_modules/.bin/cannery');
    const file = path.join(folder, name);
    cpSync(path.join(systemd, `${name}.d`), `${file}.d`, { recursive: true });
    writeFileSync(file, text.replace('/opt/cannery/node_modules/.bin/cannery', process.execPath));
    return file;
  });
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('the units say the same but for what is different in a role', () => {
  const lines = (name: string): string[] =>
    readFileSync(path.join(systemd, name), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#'));
  const [one, role] = [lines('cannery.service'), lines('cannery@.service')];
  const names = role.filter((line) => !one.includes(line)).map((line) => line.split('=')[0]);
  expect(names).toEqual([
    'Description',
    'StateDirectory',
    'WorkingDirectory',
    'Environment',
    'EnvironmentFile',
    'EnvironmentFile',
    'ExecStart',
  ]);
});

test('settings of the examples are ones that the server knows', () => {
  for (const file of readdirSync(systemd).filter((name) => name.endsWith('.env'))) {
    const text = readFileSync(path.join(systemd, file), 'utf8');
    for (const [, name] of text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm))
      if (name !== 'ROLE') expect(Object.keys(options), `${name} of ${file}`).toContain(name);
  }
});

test('a secret is in no file of settings, and those of the units are files that systemd brings', () => {
  const secrets = Object.entries(options).flatMap(([name, { secret }]) => (secret === true ? [name] : []));
  for (const file of readdirSync(systemd).filter((name) => name.endsWith('.env')))
    for (const name of secrets)
      expect(readFileSync(path.join(systemd, file), 'utf8'), file).not.toContain(`${name}=`);
  for (const unit of ['cannery.service', 'cannery@.service']) {
    const lines = readFileSync(path.join(systemd, `${unit}.d/secrets.conf`), 'utf8').split('\n');
    const [brought, named] = ['LoadCredential=', 'Environment='].map((start) =>
      lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length)),
    );
    expect(named?.length).toBeGreaterThan(0);
    expect(brought?.map((line) => line.split(':')[0])).toEqual(named?.map((line) => line.split('=%d/')[1]));
    for (const line of named ?? []) expect(secrets).toContain(line.split('_FILE=')[0]);
  }
});

test.skipIf(nginx === undefined)('nginx takes its site without a complaint', () => {
  const site = readFileSync(path.join(deploy, 'nginx/cannery.conf'), 'utf8')
    .replaceAll('/etc/ssl/cannery/fullchain.pem', path.join(certificates, 'localhost.crt'))
    .replaceAll('/etc/ssl/cannery/privkey.pem', path.join(certificates, 'localhost.key'))
    // Ports that nobody but root may take.
    .replaceAll(/listen (\[::\]:)?(80|443)\b/g, (_, host: string | undefined, port: string) => {
      return `listen ${host ?? ''}4${port.padStart(3, '0')}`;
    });
  writeFileSync(path.join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
  );
  const { status, stderr } = spawnSync(nginx ?? '', ['-t', '-c', path.join(folder, 'nginx.conf')], {
    encoding: 'utf8',
  });
  expect(stderr).not.toMatch(/\[(?:warn|emerg)\]/);
  expect(status).toBe(0);
});

test('the commands of the container file run what the package has', () => {
  cpSync(path.join(deploy, 'container/Containerfile'), path.join(folder, 'Containerfile'));
  const text = readFileSync(path.join(folder, 'Containerfile'), 'utf8');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(text).toContain(`COPY cannery-${version}.tgz /tmp/`);
  // It does not end as root, and what it runs gets the signals.
  const words = text.split('\n').map((line) => line.split(' ')[0]);
  expect(words.lastIndexOf('USER')).toBeGreaterThan(words.lastIndexOf('RUN'));
  expect(text).toMatch(/^ENTRYPOINT \["\/opt\/cannery\/node_modules\/\.bin\/cannery"\]$/m);
});
