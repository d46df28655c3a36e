#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connect, deploy } from '../test/agent.ts';
import { NetworkProcess } from '../test/network-process.ts';
import { TamperingProxy } from './tampering-proxy.ts';

const USAGE = `Usage: run-agent-suite <folder of a checkout of dfinity/icp-js-core>

Runs the suite e2e/node on a separate network, with the checkout's own vitest; the packages the suite imports must be
installed in the checkout. Ends with code 1 when a test fails.
`;

/** The canisters of the suite, by the name of the environment variable that holds their ID. */
const CANISTERS: Readonly<Record<string, string>> = {
  CANISTER_ID_COUNTER: 'counter.wasm',
  CANISTER_ID_COUNTER2: 'counter.wasm',
  CANISTER_ID_COUNTER3: 'counter.wasm',
  CANISTER_ID_WHOAMI: 'whoami.wasm',
  CANISTER_ID_TRAP: 'trap.wasm',
};
/** Every test in these files calls mainnet, whatever the network of the suite. */
const MAINNET_FILES = ['mainnet.test.ts', 'readSubnetState.test.ts'];
/** Where the suite expects a proxy that tampers with answers (`mitm.test.ts`). */
const PROXY_PORT = 8888;

/** Starts the suite's own test runner in its folder; true when every test passed. */
async function vitest(suite: string, ...args: readonly string[]): Promise<boolean> {
  const vitestFolder = dirname(createRequire(join(suite, 'package.json')).resolve('vitest/package.json'));
  const program = join(vitestFolder, 'vitest.mjs');
  const child = spawn(process.execPath, [program, 'run', ...args], { cwd: suite, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/** Deploys the suite's canisters; returns what its set-up reads to find a network that runs. */
async function deployAll(suite: string, url: string): Promise<string> {
  const agent = await connect(url);
  const lines = [`GATEWAY_PORT=${new URL(url).port}`];
  for (const [name, file] of Object.entries(CANISTERS)) {
    const id = await deploy(agent, readFileSync(join(suite, 'canisters', file)));
    lines.push(`${name}=${id.toText()}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

async function run(suite: string): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cannery-agent-suite-'));
  const environment = join(suite, '.env');
  const network = await NetworkProcess.start(dataDir);
  try {
    writeFileSync(environment, await deployAll(suite, network.url));
    const passed = await vitest(suite, ...MAINNET_FILES.map((file) => `--exclude=**/${file}`));
    await using _proxy = await TamperingProxy.start(network.url, PROXY_PORT);
    const noticed = await vitest(suite, '--config', 'vitest.config.mitm.ts');
    return passed && noticed;
  } finally {
    await network.end();
    rmSync(environment, { force: true });
    rmSync(dataDir, { recursive: true });
  }
}

const [checkout = ''] = process.argv.slice(2);
const suite = join(checkout, 'e2e', 'node');
if (checkout === '' || !existsSync(join(suite, 'vitest.config.ts'))) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  process.exitCode = (await run(suite)) ? 0 : 1;
}
