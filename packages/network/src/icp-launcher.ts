import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { LocalNetwork, LocalNetworkOptions } from './local-network.ts';
import { UsageError } from './usage-error.ts';
import { readServices } from './services/chosen-services.ts';

/** The version of the status file, and the first part of the versions of the interface, that this launcher knows. */
const STATUS_VERSION = '1';
const KNOWN_INTERFACE = /^1\./;
/** What icp may ask for that this network does not have; it starts without. */
const NOT_HERE = ['ii', 'nns', 'artificial-delay-ms', 'subnet', 'bitcoind-addr', 'dogecoind-addr'] as const;

/** What `icp network start` asks of its launcher. */
interface LauncherRequest {
  readonly network: LocalNetworkOptions;
  readonly statusDir: string;
  /** What was asked for and is not here. */
  readonly missing: readonly string[];
}

/**
 * Reads the flags that icp gives to its launcher (dfinity/icp-cli `crates/icp/src/network/managed/launcher.rs`).
 * @throws UsageError for an interface that is not known; `TypeError` of `parseArgs` for flags that are none
 */
export function readLauncherFlags(args: readonly string[]): LauncherRequest {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      'interface-version': text,
      'state-dir': text,
      'status-dir': text,
      bind: text,
      'gateway-port': text,
      domain: { type: 'string', multiple: true, default: [] },
      verbose: { type: 'boolean', default: false },
      ii: { type: 'boolean' },
      nns: { type: 'boolean' },
      'artificial-delay-ms': text,
      subnet: { type: 'string', multiple: true },
      'bitcoind-addr': { type: 'string', multiple: true },
      'dogecoind-addr': { type: 'string', multiple: true },
    },
  });
  const version = values['interface-version'];
  if (version !== undefined && !KNOWN_INTERFACE.test(version))
    throw new UsageError(`This launcher does not know version ${version} of the interface of icp.`);
  const [stateDir, statusDir] = [values['state-dir'], values['status-dir']];
  if (!stateDir || !statusDir) throw new UsageError('icp gives its launcher --state-dir and --status-dir.');
  const port = Number(values['gateway-port'] ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--gateway-port must be a number from 0 to 65535, not "${values['gateway-port']}"`);
  const host = values.bind ?? '127.0.0.1';
  return {
    // icp gives the address itself as a domain where there is no other.
    network: {
      dataDir: join(resolve(stateDir), 'network'),
      host,
      port,
      hosts: values.domain.filter((name) => name !== host && name !== 'localhost'),
      services: readServices('default'),
    },
    statusDir: resolve(statusDir),
    missing: NOT_HERE.filter((flag) => values[flag] !== undefined),
  };
}

/** Tells icp that the network runs, and how to reach it; icp reads the file once its line is whole. */
export function writeStatus(statusDir: string, { port, rootKey }: LocalNetwork): void {
  mkdirSync(statusDir, { recursive: true });
  const status = {
    v: STATUS_VERSION,
    gateway_port: port,
    root_key: Buffer.from(rootKey).toString('hex'),
    supported_features: [],
  };
  const path = join(statusDir, 'status.json');
  writeFileSync(`${path}.new`, `${JSON.stringify(status)}\n`);
  renameSync(`${path}.new`, path);
}

/** Removes the folder of the status, which icp leaves to its launcher. */
export function removeStatus(statusDir: string): void {
  rmSync(statusDir, { recursive: true, force: true });
}

/**
 * Writes a file that icp can start as its launcher: a path is all that icp takes. It runs this program under this Node.
 * @throws UsageError when there is a file already
 */
export function writeLauncher(to: string | undefined): string {
  if (to === undefined) throw new UsageError('icp-launcher needs --to <new file>');
  const path = resolve(to);
  if (existsSync(path)) throw new UsageError(`${path} exists already.`);
  const program = fileURLToPath(new URL('./cli.ts', import.meta.url));
  const command = [process.execPath, program].map(quoted).join(' ');
  writeFileSync(path, `#!/bin/sh\nexec ${command} --icp-launcher "$@"\n`);
  chmodSync(path, 0o755);
  return `${path} starts this network for icp:\nexport ICP_CLI_NETWORK_LAUNCHER_PATH=${quoted(path)}`;
}

/** The text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
