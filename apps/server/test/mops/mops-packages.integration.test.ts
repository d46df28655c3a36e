import { type GitServer, startGitServer } from '@cannery/dev-env';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBuildMachine } from '../../src/builders/machine/build-machine.ts';
import type { Artifact } from '../../src/builders/builder.ts';
import { buildMotoko } from '../../src/builders/project-build.ts';
import { ProjectFileError } from '../../src/builders/source/project-file-error.ts';
import { packagesFolder } from '../../src/builders/packages/programs/package-machine.ts';
import { BuildError } from '../../src/builders/build-error.ts';
import { type Config, configOf } from '../../src/config/config.ts';
import { type EgressProxy, startEgressProxy } from '../../src/egress/egress-proxy.ts';
import { readEnv } from '../../src/config/env.ts';
import { createOutsideGit } from '../../src/git/outside/outside-git.ts';
import { createLogger } from '../../src/log/logger.ts';
import { plainSiteCheck } from '../builds/build-site.ts';
import { type MopsRegistry, startMopsRegistry } from './mops-registry.ts';
import { diskOf } from '../../src/builders/tenant/disk-of.ts';
import { openWorkspace } from '../../src/builders/disks/workspace.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'cannery-mops-'));
let registry: MopsRegistry;
let git: GitServer;
let egress: EgressProxy;
let config: Config;
let count = 0;

beforeAll(async () => {
  registry = await startMopsRegistry();
  git = await startGitServer();
  config = configOf(
    readEnv({
      DATA_DIR: dataDir,
      MOPS_REGISTRY_URL: registry.url,
      MOPS_REGISTRY_CANISTER: registry.canisterId,
      GIT_HOSTS: git.host,
      EGRESS_PRIVATE_HOSTS: git.host,
      LOG_LEVEL: 'silent',
      SECURITY_LOG: 'off',
    }),
  );
  egress = startEgressProxy({ log: createLogger(config) });
  await registry.publish('greeting', '1.0.0', {
    'mops.toml': '[package]\nname = "greeting"\nversion = "1.0.0"\n[dependencies]\nmark = "0.2.0"\n',
    'src/lib.mo':
      'import Mark "mo:mark"; module { public func of(name : Text) : Text = "Hello, " # name # Mark.mark };',
  });
  for (const [version, mark] of [
    ['0.1.0', '?'],
    ['0.2.0', '!'],
  ] as const) {
    await registry.publish('mark', version, {
      'mops.toml': `[package]\nname = "mark"\nversion = "${version}"\n`,
      'src/lib.mo': `module { public let mark = "${mark}" };`,
    });
  }
}, 400_000);
afterAll(async () => {
  await egress.close();
  await registry.close();
  await git.close();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Built {
  readonly artifact: Artifact | null;
  readonly lines: string[];
  readonly source: string;
}

/** Builds a project of one canister that greets, with the given settings; a failure is the last line. */
async function build(
  files: Record<string, string>,
  options: Partial<Config> = {},
  prepare: (source: string) => void = () => undefined,
): Promise<Built> {
  const machine = await findBuildMachine(
    { ...config, ...options },
    createLogger(config),
    process.env,
    egress,
  );
  count += 1;
  const folders = await openWorkspace(machine, { owner: 'user', id: `run-${count}` });
  const source = diskOf(folders.source);
  const all = {
    'main.mo':
      'import G "mo:greeting"; persistent actor { public query func hello() : async Text { G.of("x") } };',
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    await folders.source.write(path, text);
  }
  prepare(source);
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const run = {
    sandbox: machine.sandbox,
    folders,
    deadline: performance.now() + 280_000,
    signal: new AbortController().signal,
    say,
    onLine: say,
    afterwards: () => undefined,
  };
  const artifact = await buildMotoko(run, {
    rootDirectory: '',
    deployWithout: [],
    variables: new Map(),
    buildCommand: '',
    publishDirectory: '',
    toolchain: machine.toolchain,
    rust: null,
    cratesIndex: config.rust.indexUrl,
    deployId: 'mops',
    programs: machine.programs,
    keptModules: machine.keptModulesOf('user'),
    memoryMegabytes: 1024,
    siteLimits: config.site,
    siteCheck: plainSiteCheck,
    operator: machine.operator,
    commandHasNetwork: false,
    network: 'local',
    installArguments: new Map(),
    part: null,
    openCanisters: async () => ({ existing: new Map(), idOf: async () => 'aaaaa-aa' }),
    packages: machine.packages,
    outsideGit: await createOutsideGit({ egress: config.egress, proxy: egress, caFile: git.caFile, dataDir }),
    openWay: machine.openWay,
  }).catch((error: unknown) => {
    if (!(error instanceof BuildError || error instanceof ProjectFileError)) throw error;
    say(error.message);
    return null;
  });
  // The disk that is ready, and its program; the build keeps what it has.
  await machine.close();
  return { artifact, lines, source };
}

const WANTS_GREETING = '[dependencies]\ngreeting = "1.0.0"\n';

test('[OP-58] packages of the mops registry come through its client, with what they need, and stay for others', async () => {
  const first = await build({ 'mops.toml': WANTS_GREETING });
  expect(first.lines).toContainEqual(
    expect.stringMatching(/^Packages: greeting 1\.0\.0 \(mops\), mark 0\.2\.0 \(mops\)/),
  );
  expect(first.artifact?.canisters[0]?.content).toMatchObject({
    kind: 'module',
    candid: expect.stringContaining('hello'),
  });
  expect(readFileSync(join(first.source, '.mops/mark@0.2.0/src/lib.mo'), 'utf8')).toContain('"!"');
  const installs = await registry.installCount();
  expect(installs).toBeGreaterThan(0);
  // The second one, of whomever, asks nobody.
  const second = await build({ 'mops.toml': WANTS_GREETING });
  expect(second.artifact).not.toBeNull();
  expect(second.lines.some((line) => line.startsWith('==> Fetching'))).toBe(false);
  expect(await registry.installCount()).toBe(installs);
}, 300_000);

test('a file of the store that was changed is not used; the package is fetched again', async () => {
  await build({ 'mops.toml': WANTS_GREETING });
  const [place = ''] = readdirSync(packagesFolder(dataDir));
  const contents = join(packagesFolder(dataDir), place, 'contents');
  for (const file of readdirSync(contents)) writeFileSync(join(contents, file), 'module { evil };');
  const again = await build({ 'mops.toml': WANTS_GREETING });
  expect(again.lines.some((line) => line.startsWith('==> Fetching'))).toBe(true);
  expect(again.artifact).not.toBeNull();
}, 300_000);

test('a file that differs from its hash in the registry gets nowhere', async () => {
  await registry.publish(
    'greeting',
    '6.6.6',
    {
      'mops.toml': '[package]\nname = "greeting"\n',
      'src/lib.mo': 'module { public func of(n : Text) : Text = n };',
    },
    { 'src/lib.mo': 'module { honest };' },
  );
  const { artifact, lines, source } = await build({ 'mops.toml': '[dependencies]\ngreeting = "6.6.6"\n' });
  expect(artifact).toBeNull();
  expect(lines).toContainEqual(expect.stringContaining('Mismatched hash'));
  expect(existsSync(join(source, '.mops/greeting@6.6.6'))).toBe(false);
}, 300_000);

test('[OP-58] a package that the registry does not have is named, with its version and the file that imports it', async () => {
  const { lines } = await build({ 'mops.toml': '[dependencies]\ngreeting = "9.9.9"\nmark = "0.1.0"\n' });
  expect(lines).toContain(
    "The package greeting@9.9.9 cannot be fetched from the mops registry: Package 'greeting@9.9.9' not found.",
  );
  // One that is not there does not keep the others away.
  expect(lines).toContainEqual(expect.stringContaining('mark 0.1.0 (mops)'));
  expect(lines.at(-1)).toMatch(
    /^Package greeting \(version 9\.9\.9\), imported by main\.mo, is not available\. mops\.toml names it\./,
  );
}, 300_000);

test('a package that needs one of a git host out of reach comes with all the others', async () => {
  await registry.publish('greeting', '2.0.0', {
    'mops.toml':
      '[package]\nname = "greeting"\n[dependencies]\nfar = "https://github.com/o/far#v1"\nmark = "0.2.0"\n',
    'src/lib.mo': 'import M "mo:mark"; module { public func of(name : Text) : Text = name # M.mark };',
  });
  const { artifact, lines } = await build({ 'mops.toml': '[dependencies]\ngreeting = "2.0.0"\n' });
  expect(lines).toContainEqual(
    expect.stringMatching(/^The package far cannot be fetched from git: .*github\.com/),
  );
  expect(lines).toContainEqual(expect.stringContaining('greeting 2.0.0 (mops), mark 0.2.0 (mops)'));
  expect(artifact).not.toBeNull();
}, 300_000);

test('a lock file of the project counts: a file that differs from it ends the build', async () => {
  const lock = (content: string): string =>
    JSON.stringify({
      version: 3,
      mopsTomlDepsHash: createHash('sha256').update('{"greeting":"1.0.0"}').digest('hex'),
      deps: { greeting: '1.0.0', mark: '0.1.0' },
      hashes: {
        'mark@0.1.0': { 'mark@0.1.0/src/lib.mo': createHash('sha256').update(content).digest('hex') },
      },
    });
  const files = { 'mops.toml': WANTS_GREETING };
  const right = await build({ ...files, 'mops.lock': lock('module { public let mark = "?" };') });
  // The lock also says which version counts.
  expect(right.lines).toContainEqual(expect.stringContaining('mark (.mops/mark@0.1.0/src)'));
  expect(right.artifact).not.toBeNull();
  const wrong = await build({ ...files, 'mops.lock': lock('something else') });
  expect(wrong.lines.at(-1)).toContain('mops.lock has another hash for mark@0.1.0/src/lib.mo');
}, 300_000);

test('the project gets no program started and no file outside written by its settings', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'cannery-outside-'));
  const built = await build({
    'mops.toml': `${WANTS_GREETING}[toolchain]\nmoc = "./evil.sh"\nwasmtime = "1.0.0"\n[requirements]\nmoc = "99.0.0"\n`,
    'evil.sh': `#!/bin/sh\ntouch ${outside}/ran\n`,
    'node_modules/.bin/moc': `#!/bin/sh\ntouch ${outside}/ran /build/source/ran\n`,
    '.npmrc': 'script-shell=/build/source/evil.sh\n',
  });
  expect(built.artifact).not.toBeNull();
  expect(readdirSync(outside)).toEqual([]);
  expect(readdirSync(built.source)).not.toContain('ran');
  rmSync(outside, { recursive: true, force: true });
}, 300_000);

test('a link in the place of .mops leads nowhere', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'cannery-outside-'));
  const { lines } = await build({ 'mops.toml': WANTS_GREETING }, {}, (source) =>
    symlinkSync(outside, join(source, '.mops')),
  );
  expect(lines.at(-1)).toContain('cannot be written, since .mops is not a folder');
  expect(readdirSync(outside)).toEqual([]);
  rmSync(outside, { recursive: true, force: true });
}, 300_000);

test('[OP-58] packages of git come at their tag, branch or commit, with what their vessel files name', async () => {
  const commit = await git.commit('o/mark', { 'src/lib.mo': 'module { public let mark = "!" };' });
  await git.commit('o/greeting', {
    'src/lib.mo':
      'import Mark "mo:mark"; module { public func of(name : Text) : Text = "Hello, " # name # Mark.mark };',
    'vessel.dhall': '{ dependencies = [ "mark" ] }',
    'package-set.dhall': `[ { name = "mark", repo = "${git.url}/o/mark", version = "v1", dependencies = [] : List Text } ]`,
  });
  await git.branch('o/mark', 'v1');
  const byBranch = await build({ 'mops.toml': `[dependencies]\ngreeting = "${git.url}/o/greeting#main"\n` });
  expect(byBranch.lines).toContainEqual(
    expect.stringMatching(
      `^Packages: greeting main \\(git \\w{7}\\), mark v1 \\(git ${commit.slice(0, 7)}\\)`,
    ),
  );
  expect(byBranch.artifact).not.toBeNull();
  const vessel = await build({
    'vessel.dhall': '{ dependencies = [ "base", "greeting" ] }',
    'package-set.dhall': `let additions = [ { name = "greeting", repo = "${git.url}/o/greeting", version = "main", dependencies = [ "mark" ] },
      { name = "mark", repo = "${git.url}/o/mark.git", version = "v1", dependencies = [] : List Text } ] in additions`,
  });
  expect(vessel.lines).toContainEqual(expect.stringContaining('(.vessel/mark/v1/src)'));
  expect(vessel.artifact).not.toBeNull();
  const other = await build({
    'mops.toml': `[dependencies]\ngreeting = "${git.url}/o/greeting#main"\nmark = "${git.url}/o/mark#v1@${'0'.repeat(12)}"\nfar = "https://elsewhere.example/o/far#v1"\n`,
  });
  expect(other.lines).toContainEqual(
    expect.stringContaining(`v1 of ${git.url}/o/mark is at ${commit}, not at 0000`),
  );
  expect(other.lines).toContainEqual(
    expect.stringContaining('Repositories of elsewhere.example cannot be deployed here'),
  );
  expect(other.lines.at(-1)).toContain('Package mark (version v1), imported by');
}, 300_000);

test('[OP-58] where the registry is out of reach, the log says so once, and core is the one that comes with the compiler', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const nowhere = { url: `http://127.0.0.1:${port}`, canisterId: registry.canisterId, isMainnet: false };
  const { artifact, lines } = await build(
    {
      'main.mo':
        'import N "mo:core/Nat"; persistent actor { public query func n() : async Text { N.toText(1) } };',
      'mops.toml': '[dependencies]\ncore = "1.0.0"\n',
    },
    { mopsRegistry: nowhere },
  );
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^The package core@1\.0\.0 cannot be fetched from the mops registry: .*127\.0\.0\.1/,
    ),
  );
  expect(lines).toContain('core 1.0.0 is wanted; core 2.5.0 is used.');
  expect(artifact).not.toBeNull();
}, 300_000);
