// The one entry of every npm script. Plain JavaScript for whatever Node (18 or newer) the machine has: it brings the Node
// and npm that the project runs on, installs the packages when the lock file changed, builds what is out of date, then
// runs everything under that Node (canisters need a newer V8 than many machines have).
import { become } from './steps/become.mjs';
import { build } from './steps/build.mjs';
import { check } from './steps/check.mjs';
import { install, programOf } from './steps/install.mjs';
import { keep } from './steps/keep.mjs';
import { fail, must, run } from './steps/project.mjs';
import { bringRust } from './steps/rust.mjs';
import { playwright, testAll, vitest } from './steps/tests.mjs';
import { toolchain } from './steps/toolchain.mjs';

const [command = 'help', ...args] = process.argv.slice(2);

/** @typedef {import('./steps/toolchain.mjs').Toolchain} Toolchain */

/**
 * A command that runs one program of ours.
 * @param {string} program
 * @returns {(tools: Toolchain) => void}
 */
const script = (program) => (tools) => process.exit(run(tools.node, [program, ...args], { env: tools.env }));

/** @type {Readonly<Record<string, (tools: Toolchain) => void>>} */
const commands = {
  start: (tools) => {
    const asksOnly = args.includes('--help') || args.includes('-h');
    const program = asksOnly ? 'apps/server/src/main.ts' : build(tools).programs.server;
    const runs = asksOnly || args.includes('--principal') ? become : keep;
    runs(tools, [program, ...args]);
  },
  dev: (tools) => {
    build(tools);
    become(tools, ['packages/dev-env/src/main.ts', ...args]);
  },
  build,
  check: (tools) => process.exit(check(tools) === 0 ? 0 : 1),
  'check:requirements': script('scripts/check-requirements.ts'),
  format: (tools) => must(tools.node, [programOf('@biomejs/biome'), 'format', '--write'], { env: tools.env }),
  test: async (tools) => process.exit(await testAll(tools, 'first')),
  // What it leaves out: decision 0171.
  'test:rest': async (tools) => process.exit(await testAll(tools, 'rest')),
  // Both, and every case of the long tables: decision 0168.
  'test:all': async (tools) =>
    process.exit(await testAll({ ...tools, env: { ...tools.env, EVERY_CASE: '1' } }, 'all')),
  bench: (tools) => script('bench/main.ts')(build(tools)),
  probes: (tools) => script('bench/probes/main.ts')(build(tools)),
  pack: (tools) => script('scripts/release/pack.ts')(build(tools)),
  'pack:network': script('scripts/release/network/pack.ts'),
  notices: script('scripts/release/write-notices.ts'),
  deposit: script('apps/server/src/operator/deposit.ts'),
  'sign-out': script('apps/server/src/operator/sign-out.ts'),
  'rotate-secrets-key': script('apps/server/src/operator/rotate-secrets-key.ts'),
  backup: script('apps/server/src/backup/backup-command.ts'),
  restore: script('apps/server/src/backup/restore-command.ts'),
  'restore-repositories': script('apps/server/src/backup/restore-repositories-command.ts'),
  seed: script('packages/dev-env/src/seed.ts'),
  cli: script('packages/cli/src/main.ts'),
  'conformance:motoko': script('packages/network/conformance/run-drun.ts'),
  'conformance:agent': script('packages/network/conformance/run-agent-suite.ts'),
  'conformance:pic': script('packages/network/conformance/pic/run-suite.ts'),
  crash: script('packages/network/crash/kill-nine.ts'),
  'crash:ledger': script('apps/server/crash/ledger-load.ts'),
  'crash:tokens': script('canisters/system/test/ledger-kills.ts'),
  'crash:backup': script('apps/server/crash/backup-load.ts'),
  'bench:restore': script('apps/server/crash/restore-time.ts'),
  'crash:steps': script('apps/server/crash/fault-points.ts'),
  faults: script('apps/server/crash/faults/main.ts'),
  'api:record': script('apps/server/test/api/record-api.ts'),
  'release:keep': (tools) => script('apps/server/test/releases/store-release.ts')(build(tools)),
  fuzz: (tools) => script('apps/server/fuzz/main.ts')(build(tools)),
  'test:unit': async (tools) => process.exit(await vitest(tools, 'unit', args)),
  'test:integration': async (tools) => {
    bringRust();
    process.exit(await vitest(build(tools), 'integration', args));
  },
  'docs:pictures': async (tools) => {
    const built = build(tools);
    const env = { ...built.env, GUIDE_PICTURES: '1', SITE_PICTURES: 'on' };
    process.exit(await playwright({ ...built, env }, ['guide.spec.ts', '--workers=1', ...args]));
  },
  'docs:walk': async (tools) => {
    const env = { ...tools.env, GUIDE_WALK: '1' };
    process.exit(await playwright({ ...tools, env }, ['--workers=1', '--retries=0', ...args]));
  },
  'test:e2e': async (tools) => process.exit(await playwright(build(tools), args)),
  // The same journeys with two of each role in place of one process.
  'test:e2e:roles': async (tools) => {
    const built = build(tools);
    const env = { ...built.env, PRODUCT_PROGRAM: 'apps/server/test/roles/several.ts' };
    process.exit(await playwright({ ...built, env }, args));
  },
  'setup:three-machines': (tools) => script('apps/server/test/roles/machines/main.ts')(build(tools)),
  'operations:walk': (tools) => script('apps/server/test/operations/main.ts')(build(tools)),
  'crash:roles': (tools) => script('apps/server/crash/roles/main.ts')(build(tools)),
  scale: (tools) => script('bench/scale/main.ts')(build(tools)),
  soak: (tools) => script('apps/server/crash/roles/soak.ts')(build(tools)),
};

const action = commands[command];
if (!action) fail(`Unknown command ${command}. Known: ${Object.keys(commands).join(', ')}.`);
const tools = toolchain();
install(tools);
action(tools);
