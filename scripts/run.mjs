// The one entry of every npm script. Plain JavaScript for whatever Node (18 or newer) the machine has: it installs the
// dependencies when the lock file changed, builds what is out of date, then runs everything under the Node that the
// project brings itself (canisters need a newer V8 than many machines have).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bin = path.join(root, 'node_modules', '.bin');
const cache = path.join(root, '.cache');
const [command = 'help', ...args] = process.argv.slice(2);

const env = { ...process.env, PATH: bin + path.delimiter + process.env.PATH };
// A checkout may be used by several people or under sudo; git must not refuse to answer for it.
delete env.NODE_OPTIONS;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function run(program, programArgs, options = {}) {
  const result = spawnSync(program, programArgs, { cwd: root, stdio: 'inherit', env, ...options });
  if (result.error) fail(`${program} could not be started: ${result.error.message}`);
  return result.status ?? 1;
}

function must(program, programArgs, options) {
  const status = run(program, programArgs, options);
  if (status !== 0) process.exit(status);
}

const tool = (name) => path.join(bin, name);
const node = tool('node');

function install() {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(root, 'node_modules', '.install-stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  process.stdout.write('Installing dependencies (first start, or the lock file changed) ...\n');
  must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { env: process.env });
  const version = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  if (!version.startsWith('26.')) {
    fail(
      `The project brings its own Node 26, but none fits ${process.platform}-${process.arch} (found: ${version || 'none'}).\n` +
        'Install Node 26 yourself and link it as node_modules/.bin/node.',
    );
  }
  writeFileSync(stamp, lock);
}

/** Hash over names, sizes and times of all files below some paths: cheap, and changes with every edit. */
function fingerprint(paths) {
  const hash = createHash('sha256');
  const visit = (file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return;
    if (stat.isDirectory()) {
      for (const name of readdirSync(file).sort()) {
        if (name !== 'node_modules' && name !== 'dist') visit(path.join(file, name));
      }
    } else hash.update(`${path.relative(root, file)}\0${stat.size}\0${stat.mtimeMs}\n`);
  };
  for (const entry of paths) visit(path.join(root, entry));
  return hash.digest('hex');
}

/** Runs a build step unless its output stands and none of its sources changed since. */
function buildStep(name, sources, output, action) {
  const stamp = path.join(cache, `${name}.stamp`);
  const now = fingerprint([...sources, 'package-lock.json']);
  if (existsSync(path.join(root, output)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
  process.stdout.write(`Building ${name} ...\n`);
  action();
  mkdirSync(cache, { recursive: true });
  writeFileSync(stamp, now);
}

function build() {
  buildStep('asset canister', ['canisters/assets'], 'canisters/assets/dist/assets.wasm', () =>
    must(node, ['canisters/assets/build.ts']),
  );
  buildStep(
    'console',
    ['apps/console', 'packages/contract', 'packages/candid'],
    'apps/console/dist/index.html',
    () => must(tool('vite'), ['build', 'apps/console', '--logLevel', 'warn']),
  );
}

/** Who started us: the parent and, since npm puts a shell in between, its parent. Changes when one of them dies. */
function callerChain() {
  if (process.env.npm_lifecycle_event === undefined) return `${process.ppid}`;
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`;
  } catch {
    return `${process.ppid}`;
  }
}

/** Hands the terminal to a long-running program and ends with it; it never outlives us or our caller. */
function become(program, programArgs) {
  const child = spawn(program, programArgs, {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const callers = callerChain();
  setInterval(() => {
    if (callerChain() !== callers) child.kill('SIGTERM');
  }, 250).unref();
  child.on('error', (error) => fail(`${program} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

function check() {
  const steps = [
    ['types', tool('tsc'), ['-p', 'tsconfig.json']],
    ['types of the console', tool('tsc'), ['-p', 'apps/console/tsconfig.json']],
    ['lint and cycles', tool('oxlint'), ['--deny-warnings', '--quiet']],
    ['format', tool('biome'), ['format']],
    ['layers', node, ['scripts/check-layers.ts']],
    ['file sizes', node, ['scripts/check-sizes.ts']],
    ['dead code', node, ['scripts/check-dead-code.ts']],
    ['management interface', node, ['scripts/check-ic-did.ts']],
  ];
  let failed = 0;
  for (const [name, program, programArgs] of steps) {
    const ok = run(program, programArgs) === 0;
    process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name}\n`);
    if (!ok) failed += 1;
  }
  return failed;
}

const results = path.join(cache, 'test-results');

function vitest(project, extra) {
  const output = path.join(results, `${project}.json`);
  rmSync(output, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  return run(tool('vitest'), ['run', '--project', project, ...reporters, ...extra]);
}

function playwright(extra) {
  const output = path.join(results, 'e2e.json');
  rmSync(output, { force: true });
  return run(
    tool('playwright'),
    ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', ...extra],
    {
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: output },
    },
  );
}

/**
 * The tests that failed, at the first try or (`failed`) at both, with their message, from a report of either runner.
 */
function failures(report) {
  const found = [];
  for (const file of report.testResults ?? []) {
    const where = path.relative(root, file.name);
    // A test that passed at its second try keeps the message of the first.
    const tests = file.assertionResults.filter((test) => test.failureMessages.length > 0);
    for (const { status, fullName, failureMessages } of tests)
      found.push({
        title: `${where} > ${fullName}`,
        message: failureMessages[0],
        failed: status === 'failed',
      });
    // A file that cannot be loaded fails without a test of its own.
    if (tests.length === 0 && file.status === 'failed')
      found.push({ title: where, message: file.message, failed: true });
  }
  const suites = [...(report.suites ?? [])];
  for (let suite = suites.pop(); suite !== undefined; suite = suites.pop()) {
    suites.push(...(suite.suites ?? []));
    for (const spec of suite.specs ?? []) {
      const results = spec.tests.flatMap((test) => test.results);
      const bad = results.find((result) => result.status !== 'passed' && result.status !== 'skipped');
      const title = `e2e/${spec.file}:${spec.line} > ${spec.title}`;
      if (bad) found.push({ title, message: bad.error?.message ?? bad.status, failed: !spec.ok });
    }
  }
  return found;
}

/** Adds up what the runners wrote; names what failed once more, and prints the closing line that scripts read. */
function summary() {
  let passed = 0;
  let failed = 0;
  for (const name of ['unit', 'integration', 'e2e']) {
    const file = path.join(results, `${name}.json`);
    if (!existsSync(file)) continue;
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const { expected = 0, flaky = 0, unexpected = 0 } = report.stats ?? {};
    passed += report.numPassedTests ?? expected + flaky;
    failed += report.numFailedTests ?? unexpected;
    for (const { title, message, failed: isFailed } of failures(report)) {
      const what = isFailed ? 'FAILED' : 'passed only at the second try:';
      process.stdout.write(`\n${what} ${title}\n${String(message).split('\n').slice(0, 12).join('\n')}\n`);
    }
  }
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed;
}

function testAll() {
  rmSync(results, { recursive: true, force: true });
  const checks = check();
  build();
  const status = [vitest('unit', []), vitest('integration', []), playwright([])];
  const failed = summary();
  process.exit(checks === 0 && failed === 0 && status.every((code) => code === 0) ? 0 : 1);
}

const commands = {
  start: () => {
    if (!args.includes('--help') && !args.includes('-h')) build();
    become(node, ['apps/server/src/main.ts', ...args]);
  },
  dev: () => {
    build();
    become(node, ['packages/dev-env/src/main.ts', ...args]);
  },
  build: () => build(),
  check: () => process.exit(check() === 0 ? 0 : 1),
  'check:requirements': () => must(node, ['scripts/check-requirements.ts', ...args]),
  format: () => must(tool('biome'), ['format', '--write']),
  test: () => testAll(),
  bench: () => {
    build();
    process.exit(run(node, ['bench/main.ts', ...args]));
  },
  deposit: () => process.exit(run(node, ['apps/server/src/deposit.ts', ...args])),
  'conformance:motoko': () => process.exit(run(node, ['packages/network/conformance/run-drun.ts', ...args])),
  'conformance:agent': () =>
    process.exit(run(node, ['packages/network/conformance/run-agent-suite.ts', ...args])),
  crash: () => process.exit(run(node, ['packages/network/crash/kill-nine.ts', ...args])),
  'crash:ledger': () => process.exit(run(node, ['apps/server/crash/ledger-load.ts', ...args])),
  'crash:steps': () => process.exit(run(node, ['apps/server/crash/fault-points.ts', ...args])),
  'test:unit': () => process.exit(vitest('unit', args)),
  'test:integration': () => {
    build();
    process.exit(vitest('integration', args));
  },
  'test:e2e': () => {
    build();
    process.exit(playwright(args));
  },
};

const action = commands[command];
if (!action) fail(`Unknown command ${command}. Known: ${Object.keys(commands).join(', ')}.`);
install();
action();
