import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { DeployAnswer } from '@cannery/contract';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import type { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient();
}, 120_000);
afterAll(() => client?.dispose());

const greeter = (greeting: string): string =>
  `persistent actor { public query func greet(name : Text) : async Text { "${greeting}, " # name # "!" } }`;

/** A build without packages: it writes what a bundler would put into a page. */
const build = `import { execFileSync } from 'node:child_process';
import { get } from 'node:http';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const dfx = (...words) => execFileSync('dfx', words, { encoding: 'utf8' }).trim();
execFileSync('dfx', ['generate', 'backend']);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/index.html', '<title>Custom</title>');
const declarations = readFileSync('src/declarations/backend/index.js', 'utf8');
const ids = JSON.parse(readFileSync('.dfx/local/canister_ids.json', 'utf8'));
writeFileSync('dist/facts.json', JSON.stringify({
  variable: process.env.CANISTER_ID_BACKEND, older: process.env.BACKEND_CANISTER_ID,
  network: process.env.DFX_NETWORK, asked: dfx('canister', 'id', 'backend'), version: dfx('--version'),
  file: ids.backend.local, env: readFileSync('.env', 'utf8'), declarations,
  factory: readFileSync('src/declarations/backend/backend.did.js', 'utf8'),
}));
`;

const dfxProject = (greeting: string): Record<string, string> => ({
  'dfx.json': JSON.stringify({
    canisters: {
      frontend: {
        type: 'assets',
        source: ['public', 'dist'],
        dependencies: ['backend', 'caller'],
        build: ['node build.mjs'],
      },
      caller: { main: 'caller.mo' },
      backend: { main: 'backend.mo', initialization_values: { freezing_threshold: 86_400 } },
    },
    output_env_file: '.env',
  }),
  'backend.mo': greeter(greeting),
  'caller.mo':
    'import Backend "canister:backend"; persistent actor { public func ask(name : Text) : async Text { await Backend.greet(name) } }',
  'build.mjs': build,
  'public/robots.txt': 'User-agent: *',
  '.env': 'KEPT=1\n',
});

const service: IDL.InterfaceFactory = ({ IDL: idl }) =>
  idl.Service({
    greet: idl.Func([idl.Text], [idl.Text], ['query']),
    ask: idl.Func([idl.Text], [idl.Text], []),
  });

interface Greeter {
  greet(name: string): Promise<string>;
  ask(name: string): Promise<string>;
}

async function actorOf(canisterId: string): Promise<Greeter> {
  const agent = await HttpAgent.create({ host: client.product.networkUrl, shouldFetchRootKey: true });
  return Actor.createActor(service, { agent, canisterId }) as unknown as Greeter;
}

/** The deploy's canisters by their names in the project, as the last lines of the log tell. */
function idsOf(logs: string | null): Record<string, string> {
  const lines = (logs ?? '').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name = '', id = ''] = /^(\w+): http\S*?([a-z0-9]{5}(?:-[a-z0-9]{5}){3}-cai)/.exec(line) ?? [];
      return name === '' ? [] : [[name, id]];
    }),
  );
}

/** A page of a canister at the canister's own host name, where cookies are set. */
function page(id: string, path: string): Promise<{ status: number; text: string; cookie: string }> {
  const { hostname, port } = new URL(client.product.networkUrl);
  return new Promise((resolve, reject) => {
    const headers = { host: `${id}.localhost:${port}` };
    get({ host: hostname, port, path, headers }, async (answer) => {
      const chunks: Buffer[] = await answer.toArray();
      const cookie = decodeURIComponent((answer.headers['set-cookie'] ?? []).join('; '));
      resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString(), cookie });
    }).on('error', reject);
  });
}

async function settingsOf(id: string): Promise<Record<string, unknown>> {
  const details = await client.ada.call<{ settings: Record<string, unknown> }>(
    'GET',
    `/canister/details/${id}`,
  );
  return details.settings;
}

test('[DEP-16] [ENT-13] a project of dfx.json is deployed as a whole, and a second run upgrades it', async () => {
  await client.push('whole', dfxProject('Hello'));
  const id = await client.create('whole', 'CUSTOM');
  const first = await client.run(id);
  expect(first.status, first.logs ?? '').toBe('COMPLETED');
  const ids = idsOf(first.logs);
  expect(Object.keys(ids).sort()).toEqual(['backend', 'caller', 'frontend']);
  expect(first.logs).toContain('3 of 3 canisters are new and will be created for 6 T cycles.');
  // What a bundler finds: variables, files and commands of dfx.
  const facts = JSON.parse((await page(ids.frontend ?? '', '/facts.json')).text) as Record<string, string>;
  expect(facts).toMatchObject({
    variable: ids.backend,
    older: ids.backend,
    asked: ids.backend,
    file: ids.backend,
    network: 'local',
    version: expect.stringMatching(/^dfx \d/),
  });
  expect(facts.env).toMatch(/^KEPT=1\n# DFX CANISTER/);
  expect(facts.env).toContain(`CANISTER_ID_CALLER='${ids.caller}'`);
  expect(facts.declarations).toContain('process.env.CANISTER_ID_BACKEND');
  expect(facts.factory).toContain("'greet' : IDL.Func([IDL.Text], [IDL.Text], ['query'])");
  // Both folders of the website are served, and the page learns the ids.
  expect((await page(ids.frontend ?? '', '/robots.txt')).status).toBe(200);
  expect((await page(ids.frontend ?? '', '/')).cookie).toContain(`PUBLIC_CANISTER_ID:backend=${ids.backend}`);
  // The canisters know each other.
  const caller = await actorOf(ids.caller ?? '');
  expect(await caller.ask('Ada')).toBe('Hello, Ada!');
  expect(await settingsOf(ids.backend ?? '')).toMatchObject({ freezing_threshold: '86400' });

  await client.push('whole', dfxProject('Good day'));
  const second = await client.run(id);
  expect(second.status, second.logs ?? '').toBe('COMPLETED');
  expect(idsOf(second.logs)).toEqual(ids);
  expect(await caller.ask('Ada')).toBe('Good day, Ada!');
  const { canisters } = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
  expect(canisters.toSorted()).toEqual(Object.values(ids).toSorted());
}, 120_000);

test('[DEP-16] a project of icp.yaml: modules, settings, arguments, and ids as environment variables', async () => {
  const wasm = compileMotoko(
    'persistent actor class Named(greeting : Text) { public query func greet(name : Text) : async Text { greeting # name } }',
  );
  const folder = `${client.folder}/icp`;
  mkdirSync(`${folder}/web`, { recursive: true });
  const files: Record<string, string | Uint8Array> = {
    'icp.yaml': `canisters:
  - name: named
    build:
      steps:
        - type: pre-built
          path: named.wasm
          sha256: ${createHash('sha256').update(wasm).digest('hex')}
    init_args: '("Hi ")'
    settings:
      environment_variables:
        MODE: fast
  - name: made
    build:
      steps:
        - type: script
          commands:
            - cp named.wasm "$ICP_WASM_OUTPUT_PATH"
    init_args: '("Made for ")'
  - name: web
    recipe:
      type: "@dfinity/static-site@v0.3.1"
      configuration:
        dir: web
`,
    'named.wasm': wasm,
    'web/index.html': '<title>icp</title>',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(`${folder}/${name}`, content);
  await client.pushFolder('icp', folder, 'Import');
  const id = await client.create('icp', 'CUSTOM');
  const run = await client.run(id);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
  const ids = idsOf(run.logs);
  expect(await (await actorOf(ids.named ?? '')).greet('Ada')).toBe('Hi Ada');
  expect(await (await actorOf(ids.made ?? '')).greet('Ada')).toBe('Made for Ada');
  expect((await settingsOf(ids.named ?? '')).environment_variables).toEqual(
    expect.arrayContaining([
      { name: 'MODE', value: 'fast' },
      { name: 'PUBLIC_CANISTER_ID:made', value: ids.made },
      { name: 'PUBLIC_CANISTER_ID:web', value: ids.web },
    ]),
  );
  // Nothing has changed, so nothing is sent but code.
  const again = await client.run(id);
  expect(again.logs).not.toContain('Settings of');
  expect(again.logs).toContain('0 files new or changed');
});

describe('a project that cannot be deployed as it is', () => {
  test('that the account cannot pay for as a whole gets no canister at all', async () => {
    const canisters = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`c${at}`, { main: 'backend.mo' }]),
    );
    await client.push('dear', { 'dfx.json': JSON.stringify({ canisters }), 'backend.mo': greeter('x') });
    const id = await client.create('dear', 'CUSTOM');
    const { logs, status } = await client.run(id);
    expect(status).toBe('FAILED');
    expect(logs?.split('\n').at(-1)).toMatch(
      /^Failed: Your balance is .*; the 50 canisters to be created need 100 T/,
    );
    expect((await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`)).canisters).toEqual([]);
  });

  test('keeps its canisters for the next run when a command fails', async () => {
    await client.push('mended', { ...dfxProject('Hello'), 'build.mjs': 'process.exit(3);' });
    const id = await client.create('mended', 'CUSTOM');
    const first = await client.run(id);
    expect(first.logs?.split('\n').at(-1)).toContain('exit code 3');
    const { canisters } = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
    expect(canisters).toHaveLength(3);
    await client.push('mended', dfxProject('Hello'));
    const second = await client.run(id);
    expect(second.status, second.logs ?? '').toBe('COMPLETED');
    expect(Object.values(idsOf(second.logs)).toSorted()).toEqual(canisters.toSorted());
  });

  test.each([
    [
      'links out of the checkout',
      `import { get } from 'node:http';
import { mkdirSync, symlinkSync } from 'node:fs'; symlinkSync('/etc', 'dist');`,
      'is a link to a place outside',
    ],
    [
      'writes no website',
      `import { mkdirSync } from 'node:fs'; mkdirSync('other');`,
      "'dist' does not exist after the build",
    ],
  ])('that %s is refused', async (_, script, reason) => {
    const name = `refused-${reason.length}`;
    await client.push(name, { ...dfxProject('Hello'), 'build.mjs': script });
    const { logs, status } = await client.run(await client.create(name, 'CUSTOM'));
    expect(status).toBe('FAILED');
    expect(logs?.split('\n').at(-1)).toContain(reason);
  });
});

test('[DEP-16] MOTOKO deploys every Motoko canister; a new one that does not compile is left out and named', async () => {
  const canisters = {
    broken: { main: 'broken.mo' },
    works: { main: 'works.mo' },
    needs: { main: 'needs.mo' },
  };
  const files = {
    'dfx.json': JSON.stringify({ canisters }),
    'works.mo': greeter('Hello'),
    'broken.mo': 'import S "mo:sha256/SHA256"; persistent actor { }',
    'needs.mo': 'import B "canister:broken"; persistent actor { }',
  };
  await client.push('partly', files);
  const id = await client.create('partly', 'MOTOKO');
  const first = await client.run(id);
  expect(first.status).toBe('COMPLETED');
  expect(first.logs).toMatch(/Package sha256.*broken\.mo/);
  const lines = first.logs?.split('\n').slice(-3);
  expect(lines).toEqual([
    expect.stringMatching(/^Not deployed: broken\./),
    'Not deployed: needs. It needs broken, which does not compile.',
    'Live, 2 of 3 canisters not deployed: broken (Motoko), needs (Motoko).',
  ]);
  expect(first.left_out).toEqual({
    of: 3,
    canisters: ['broken', 'needs'].map((name) => ({ name, type: 'Motoko', needed_by: null })),
  });
  expect((await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`)).canisters).toHaveLength(1);
  // What is live may not stay behind unnoticed.
  await client.push('partly', { ...files, 'works.mo': 'no Motoko' });
  expect((await client.run(id)).status).toBe('FAILED');
});

test('a module whose address cannot be reached is left out, and the log has no stack of ours', async () => {
  const wasm = 'https://github.com/dfinity/no-such/releases/latest/download/ledger.wasm.gz';
  const canisters = { ledger: { type: 'custom', wasm, candid: 'ledger.did' }, works: { main: 'works.mo' } };
  await client.push('far', {
    'dfx.json': JSON.stringify({ canisters }),
    'ledger.did': 'service : {}',
    'works.mo': greeter('Hello'),
  });
  const { status, logs } = await client.run(await client.create('far', 'CUSTOM'));
  expect(status, logs ?? '').toBe('COMPLETED');
  expect(logs).toContain(`Not deployed: ledger (WebAssembly), since ${wasm} could not be fetched`);
  expect(logs).toMatch(/\nLive, 1 of 2 canisters not deployed: ledger \(WebAssembly\)\.$/);
  expect(logs).not.toMatch(/fetch failed|node:internal|Node\.js v/);
});

test('commands of a project may replace the files that are written for them', async () => {
  const script = `import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
cpSync('.dfx/local/canisters/backend', 'src/declarations/backend', { recursive: true });
rmSync('.dfx', { recursive: true });
appendFileSync('.env', 'MORE=1');
mkdirSync('dist');
writeFileSync('dist/index.html', 'replaced');
`;
  await client.push('replacing', {
    'dfx.json': JSON.stringify({
      canisters: {
        backend: { main: 'backend.mo' },
        frontend: { type: 'assets', source: ['dist'], dependencies: ['backend'], build: ['node build.mjs'] },
      },
    }),
    'backend.mo': greeter('Hello'),
    'build.mjs': script,
  });
  const { status, logs } = await client.run(await client.create('replacing', 'CUSTOM'));
  expect(status, logs ?? '').toBe('COMPLETED');
});

test('websites are checked with all of their folders, and warnings say which of them they are about', async () => {
  const canisters = {
    blog: { type: 'assets', source: ['public', 'pages'] },
    shop: { type: 'assets', source: ['shop'] },
  };
  await client.push('checked', {
    'app/dfx.json': JSON.stringify({ canisters }),
    'app/public/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'app/pages/index.html': '<img src="/logo.svg"> <img src="/Logo.svg">',
    'app/shop/index.html': '<a href="/">Shop</a>',
  });
  const id = await client.create('checked', 'CUSTOM', { root_directory: 'app' });
  const { status, logs } = await client.run(id);
  expect(status, logs ?? '').toBe('COMPLETED');
  const [, warnings = ''] = logs?.split('Warnings of the site check:\n') ?? [];
  expect(warnings.split('\n')).toEqual([
    expect.stringMatching(/^ {2}blog: 1 link of the site leads to files that are named with other/),
    '    index.html: /Logo.svg (the file is /logo.svg)',
    expect.stringMatching(/^blog: http/),
    expect.stringMatching(/^shop: http/),
  ]);
});

test('install arguments of the settings count more than those of the project', async () => {
  const named =
    'persistent actor class Named(greeting : Text) { public query func greet(name : Text) : async Text { greeting # name } }';
  await client.push('arguments', { 'main.mo': named });
  const id = await client.create('arguments', 'MOTOKO');
  const without = await client.run(id);
  expect(without.logs?.split('\n').at(-1)).toMatch(
    /^Failed: The canister main needs install arguments of type \(text\), and the project gives none\..* settings of the deploy/,
  );
  const given = [
    { canister: 'main', argument: '("Hi ")' },
    { canister: 'other', argument: ' ' },
  ];
  await client.ada.call('PATCH', `/deploy/${id}`, { install_arguments: given });
  const deploy = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
  expect(deploy.install_arguments).toEqual(given.slice(0, 1));
  const run = await client.run(id);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
  const { parts } = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
  expect(parts).toEqual([
    { canister_id: expect.any(String), name: 'main', kind: 'module', serves_http: false, picture: null },
  ]);
  expect(await (await actorOf(parts[0]?.canister_id ?? '')).greet('Ada')).toBe('Hi Ada');
  await client.ada.call('PATCH', `/deploy/${id}`, {
    install_arguments: [{ canister: 'main', argument: '(5)' }],
  });
  expect((await client.run(id)).logs?.split('\n').at(-1)).toContain('those given do not fit');
});

test('an upgrade that would lose data changes nothing and names the variable; a breaking interface is told', async () => {
  const files = (kept: string): Record<string, string> => ({
    'dfx.json': JSON.stringify({ canisters: { first: { main: 'first.mo' }, second: { main: 'second.mo' } } }),
    'first.mo': greeter(kept),
    'second.mo': `persistent actor { var loaves : ${kept} = ${kept === 'Nat' ? '1' : '""'}; public query func greet(name : Text) : async Text { name # debug_show (loaves) } }`,
  });
  await client.push('bakery', files('Nat'));
  const id = await client.create('bakery', 'MOTOKO');
  const ids = idsOf((await client.run(id)).logs);
  await client.push('bakery', files('Text'));
  const refused = await client.run(id);
  expect(refused.status).toBe('FAILED');
  expect(refused.logs?.split('\n').at(-1)).toMatch(
    /^Failed: Nothing was changed, since the upgrade of second would lose data: .*loaves/,
  );
  // Neither of the two was touched.
  expect(await (await actorOf(ids.first ?? '')).greet('Ada')).toBe('Nat, Ada!');
  expect(await (await actorOf(ids.second ?? '')).greet('Ada')).toBe('Ada1');

  await client.push('bakery', {
    ...files('Nat'),
    'first.mo': 'persistent actor { public query func greet(name : Nat) : async Nat { name } }',
  });
  const told = await client.run(id);
  expect(told.status, told.logs ?? '').toBe('COMPLETED');
  expect(told.logs).toMatch(/Warning: callers of first that expect its current interface may fail:\n.*greet/);
});
