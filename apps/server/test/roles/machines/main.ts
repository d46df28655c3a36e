// `npm run setup:three-machines`: three computers as network namespaces, with two of each role, Postgres, an S3 service, an identity provider,
// and nginx with the site of deploy/nginx. It carries out a journey, takes one machine away, and carries it out again.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const INSIDE = 'CANNERY_SET_UP_FOLDER';
const NGINX = '/usr/sbin/nginx';
const folder = process.env[INSIDE];

/** Runs this program once more in a separate network, which ends with it: nothing of this machine's network is changed. */
function enter(): number {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) {
    process.stderr.write('Network namespaces are made by root on Linux only: run this as root.\n');
    return 1;
  }
  for (const [program, option] of [
    ['ip', '-V'],
    [NGINX, '-v'],
    ['openssl', 'version'],
  ] as const) {
    if (spawnSync(program, [option], { stdio: 'ignore' }).error === undefined) continue;
    process.stderr.write(`${program} is missing: apt-get install iproute2 nginx openssl\n`);
    return 1;
  }
  const made = mkdtempSync(join(tmpdir(), 'cannery-machines-'));
  try {
    certify(made);
    const env = { ...process.env, [INSIDE]: made, NODE_EXTRA_CA_CERTS: join(made, 'tls', 'fullchain.pem') };
    const command = ['--net', '--mount', '--propagation', 'private', '--', process.execPath];
    const { status } = spawnSync(
      'unshare',
      [...command, fileURLToPath(import.meta.url), ...process.argv.slice(2)],
      {
        stdio: 'inherit',
        env,
      },
    );
    return status ?? 1;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function certify(made: string): void {
  const tls = join(made, 'tls');
  mkdirSync(tls);
  const names = ['cannery.example.com', 'network.example.com', '*.sites.example.com'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const files = ['-keyout', join(tls, 'privkey.pem'), '-out', join(tls, 'fullchain.pem')];
  const who = [
    '-subj',
    '/CN=Cannery',
    '-addext',
    `subjectAltName=${names.map((name) => `DNS:${name}`).join()}`,
  ];
  execFileSync('openssl', ['req', '-x509', ...key, ...files, ...who], { stdio: 'ignore' });
}

if (folder === undefined) process.exitCode = enter();
else {
  const { tryThreeMachines } = await import('./three-machines.ts');
  writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost\n');
  process.exitCode = await tryThreeMachines(folder, NGINX);
}
