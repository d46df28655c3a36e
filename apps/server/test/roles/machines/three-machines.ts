import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../../src/db/database.ts';
import { EMBEDDED_CLIENT_ID, PROVIDER_PATH } from '../../../src/identity/embedded-provider.ts';
import { memberWith, type MemberName, memberNames, sharedFiles } from '../fleet.ts';
import { startTcpPostgres } from '../tcp-postgres.ts';
import { journey } from './journey.ts';
import { type Machine, makeMachines, startThere, stopThere } from './machines.ts';

const CONSOLE = 'https://cannery.example.com';
const PORTS = { postgres: 5432, s3: 9000, identity: 9100, network: 4943, api: 4000, git: 4101, worker: 4201 };
const SECRET = 'of-the-set-up';

const here = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** Which machine a process is on, by its name: the first has what there is one of. */
const placeOf = (name: MemberName): number => (name === 'network' ? 0 : name.endsWith('0') ? 1 : 2);

/** Builds the set-up, and tries it. @returns the exit code */
export async function tryThreeMachines(folder: string, nginx: string): Promise<number> {
  const { machines, remove } = makeMachines(3);
  await using started = new AsyncDisposableStack();
  started.defer(remove);
  const [first] = machines;
  if (first === undefined) throw new Error('There are no machines.');
  name(folder, first);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const postgres = await startTcpPostgres({
    folder: join(folder, 'postgres'),
    host: first.address,
    port: PORTS.postgres,
    enter: first.enter,
  });
  started.defer(() => postgres.stop());
  const infrastructure = await startInfrastructure(folder, first, nginx);
  started.defer(async () => void (await Promise.all(infrastructure.map(stopThere))));
  const members = new Map(
    memberNames.map((each) => [each, member(each, { folder, machines, first, database: postgres.url })]),
  );
  started.defer(async () => void (await Promise.all([...members.values()].map((each) => each.stop()))));
  await members.get('network')?.start();
  await Promise.all([...members].map(async ([each, { start }]) => each !== 'network' && start()));
  say(`${members.size} processes on three machines`);
  const db = openDatabase({ connectionString: postgres.url }, 1);
  started.defer(() => db.destroy());
  /** The machine that has the repositories of a user. */
  const homeOf = async (user: string): Promise<string> => {
    const { url } = await db
      .selectFrom('repository_homes')
      .innerJoin('git_folders', 'git_folders.id', 'folder_id')
      .innerJoin('users', 'users.id', 'user_id')
      .select('url')
      .where('username', '=', user)
      .executeTakeFirstOrThrow();
    return new URL(url).hostname;
  };
  const users: Record<string, string> = {};
  for (let number = 0; Object.keys(users).length < 2 && number < 12; number += 1) {
    const user = `user-${number}`;
    await journey({ console: CONSOLE, user, folder: join(folder, user), say });
    users[await homeOf(user)] ??= user;
  }
  const [lost, left] = [machines[1], machines[2]];
  const staying = users[left?.address ?? ''];
  if (lost === undefined || staying === undefined) throw new Error('No repository is on the third machine.');

  lost.setLink('down');
  const gone = [...members.values()].filter((each) => placeOf(each.name) === 1);
  await Promise.all(gone.map((each) => each.kill()));
  const cut = performance.now();
  say('the second machine is gone');
  await journey({ console: CONSOLE, user: staying, folder: join(folder, `${staying}-again`), say });
  say(`a whole journey took ${((performance.now() - cut) / 1000).toFixed(1)} s from then on`);

  lost.setLink('up');
  await Promise.all(gone.map((each) => each.start()));
  const back = users[lost.address];
  if (back !== undefined)
    await journey({ console: CONSOLE, user: back, folder: join(folder, `${back}-again`), say });
  say('the second machine is back, with its repositories');
  return 0;
}

/** Gives the machines their names, for this program and what it starts only. */
function name(folder: string, { address }: Machine): void {
  const names = ['cannery.example.com', 'network.example.com', 'id.example.com'];
  const file = join(folder, 'hosts');
  writeFileSync(file, `127.0.0.1 localhost\n${address} ${names.join(' ')}\n`);
  execFileSync('mount', ['--bind', file, '/etc/hosts']);
}

async function startInfrastructure(folder: string, first: Machine, nginx: string): Promise<ChildProcess[]> {
  const objects = join(folder, 's3');
  mkdirSync(objects);
  const s3 = await startThere(first, [process.execPath, here('s3-program.ts')], {
    env: { HOST: first.address, PORT: String(PORTS.s3), FOLDER: objects },
  });
  const provider = await startThere(first, [process.execPath, here('identity-provider.ts')], {
    env: {
      BASE: `http://id.example.com:${PORTS.identity}`,
      PORT: String(PORTS.identity),
      SECRET,
      REDIRECT: `${CONSOLE}/api/auth/google/callback`,
    },
  });
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  writeFileSync(join(folder, 'site.conf'), siteOf(folder, first));
  writeFileSync(
    file,
    `user root; daemon off; pid ${folder}/pid; error_log ${folder}/nginx.log; events {} http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
  );
  return [s3, provider, await startThere(first, [nginx, '-c', file], { isQuiet: true })];
}

/** The site of the repository with its names, for two api roles. */
function siteOf(folder: string, first: Machine): string {
  const text = readFileSync(new URL('../../../../../deploy/nginx/cannery.conf', import.meta.url), 'utf8');
  const apis = [1, 2].map(
    (last) => `server ${first.address.replace(/\d+$/, String(last + 1))}:${PORTS.api};`,
  );
  return text
    .replace('server 127.0.0.1:4000;', apis.join(' '))
    .replace('127.0.0.1:4943', `${first.address}:${PORTS.network}`)
    .replaceAll('/etc/ssl/cannery/', `${folder}/tls/`);
}

function member(
  each: MemberName,
  scene: { folder: string; machines: readonly Machine[]; first: Machine; database: string },
): ReturnType<typeof memberWith> {
  const { folder, machines, first, database } = scene;
  const machine = machines[placeOf(each)] ?? first;
  const role = each.replace(/-\d$/, '');
  const own =
    role === 'network' ? { NETWORK_PORT: PORTS.network } : { PORT: PORTS[role as 'api' | 'git' | 'worker'] };
  const shared = {
    DATABASE_URL: database,
    PUBLIC_URL: CONSOLE,
    IC_URL: `http://${first.address}:${PORTS.network}`,
    BLOBS_S3_URL: `http://${first.address}:${PORTS.s3}`,
    BLOBS_S3_BUCKET: 'uploads',
    BLOBS_S3_ACCESS_KEY: 'S3RVER',
    BLOBS_S3_SECRET_KEY: 'S3RVER',
    OIDC_ISSUER: `http://id.example.com:${PORTS.identity}${PROVIDER_PATH}`,
    OIDC_CLIENT_ID: EMBEDDED_CLIENT_ID,
    OIDC_CLIENT_SECRET: SECRET,
  };
  const { IC_IDENTITY_FILE, SECRETS_KEY_FILE } = sharedFiles(folder);
  return memberWith(
    each,
    () => undefined,
    {
      HOST: machine.address,
      ...Object.fromEntries(Object.entries(own).map(([key, value]) => [key, String(value)])),
      TRUST_PROXY: first.address,
      NETWORK_PUBLIC_URL: 'https://network.example.com',
      NETWORK_HOSTS: `${first.address},network.example.com,*.sites.example.com`,
      CANISTER_URL_PATTERN: 'https://{canisterId}.sites.example.com',
      LOG_LEVEL: 'error',
      SIGN_IN_LIMIT: '10000',
      SITE_PICTURES: 'off',
      RUST_TOOLCHAIN: 'off',
      DRAIN_S: '2',
      IC_IDENTITY_FILE,
      ...(role === 'network' ? {} : { ...shared, SECRETS_KEY_FILE }),
      ROLE: role,
      DATA_DIR: join(folder, each),
    },
    machine.enter,
  );
}
