#!/usr/bin/env node
import { parseArgs } from 'node:util';
import {
  DEFAULT_FEE_PROFILE,
  FEE_SCHEDULES,
  type FeeProfile,
  isFeeProfile,
} from '@cannery/replica/cycles/fee-schedule';
import { endWithParent } from './end-with-parent.ts';
import { callNotes } from './http/transport/call-notes.ts';
import { onAskForFigures, onAskNetwork, onSiteNames, sendHeartbeats } from './program.ts';
import { DEFAULT_HOST, DEFAULT_PORT, ServedHosts } from './http/transport/served-hosts.ts';
import { DEFAULT_INSTRUCTION_LIMITS, type InstructionLimits } from '@cannery/ic/limits';
import { isOutcallPolicy, type OutcallPolicy } from '@cannery/replica/state/outcall';
import type { ProvisionalPolicy } from '@cannery/replica/state/provisional';
import { keepCompiledCode } from '@cannery/store/files/compiled-code';
import { saveCompiledCode } from '@cannery/ic/save-compiled-code';
import type { LocalNetwork, LocalNetworkOptions } from './local-network.ts';
import { readServices, type Service, SERVICES } from './services/chosen-services.ts';
import { UsageError } from './usage-error.ts';

const LIMITED = Object.keys(DEFAULT_INSTRUCTION_LIMITS);

const USAGE = `Usage: cannery-network --data-dir <directory> [options]
       cannery-network backup <directory> --to <new directory> [--wait]
       cannery-network restore <backup> --to <new directory>
       cannery-network reset <directory> --yes
       cannery-network pocket-ic [--port <number>]
       cannery-network icp-launcher --to <new file>
       cannery-network --icp-launcher <flags of icp>

Runs a local Internet Computer network and prints "network ready: <address>" when it answers.

backup copies a data directory, also while its network runs, which goes on meanwhile. With --wait it prints "ready", waits
for a line, and prints "taken" when the moment is over that the copy is of.
restore makes a data directory of a backup, and checks every byte of it.
icp-launcher writes the file that ICP_CLI_NETWORK_LAUNCHER_PATH names, so that "icp network start" starts this network. What
that file runs is this program with --icp-launcher and the flags that icp gives.
reset deletes the canisters and keys in a data directory; its network must be stopped.
pocket-ic runs networks for tests, which PicJS starts and ends; see cannery-network pocket-ic --help.

Options:
  --data-dir <directory>   where the network keeps its canisters and keys (required)
  --host <address>         address to listen on (default ${DEFAULT_HOST})
  --port <number>          port to listen on, 0 for a free one (default ${DEFAULT_PORT})
  --allow-host <name>      host name to answer to besides localhost, all below it, and loopback addresses;
                           *.example.com for all below one; may be given for each
  --canister-url <pattern> where browsers reach sites from other computers: https://{canisterId}.sites.example.com/
  --provisional <who>      who may make cycles from nothing: anyone, nobody, or one principal (default anyone if only
                           this computer can reach the network by --host and --allow-host, else nobody)
  --http-outcalls <which>  HTTP requests canisters may make: off, https, https-and-loopback (default off)
  --fees <name>            what things cost: ${Object.keys(FEE_SCHEDULES).join(', ')} (default ${DEFAULT_FEE_PROFILE})
  --instruction-limit <kind>=<number>
                           instructions one execution of this kind may use (default: what the Internet Computer
                           allows); kinds: ${LIMITED.join(', ')}; may be given for each
  --dashboard <which>      /_/dashboard and /metrics for this computer only: on, off (default on if nobody else can reach
                           this network by --host, --allow-host and --canister-url, else off)
  --services <which>       system canisters to bring along: default (all), none, or a list with commas:
                           ${SERVICES.join(', ')}
  --candid-url <pattern>   where a console shows Candid pages: http://localhost:4000/candid/?id={canisterId}
  --allow-time-control     let other processes set the network's time at /_/time
  --controls               let the process that starts this one set the time and switch outcalls on and off over the channel
                           to it, if nobody else can reach this network (see --dashboard)
  --note-calls             write a line for each request that is named by a header x-request-id, not only for those that
                           are refused, fail or take long
  --exit-with-parent       stop when the standard input ends, as it does when the parent process dies
  --help                   show this text
`;

interface Settings {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly hosts: readonly string[];
  readonly canisterUrl?: string;
  readonly provisional?: ProvisionalPolicy;
  readonly httpOutcalls: OutcallPolicy;
  readonly fees: FeeProfile;
  readonly instructionLimits: Partial<InstructionLimits>;
  readonly dashboard?: boolean;
  readonly services: ReadonlySet<Service>;
  readonly candidUrl?: string;
  readonly allowTimeControl: boolean;
  readonly controls: boolean;
  readonly noteCalls: boolean;
  readonly exitWithParent: boolean;
}

/** Limits written like `update=1000000000`. */
function readLimits(words: readonly string[]): Partial<InstructionLimits> {
  const limits = words.map((word): [string, bigint] => {
    const [, kind = '', count = ''] = /^(\w+)=([1-9]\d{0,14})$/.exec(word) ?? [];
    if (LIMITED.includes(kind)) return [kind, BigInt(count)];
    throw new UsageError(
      `--instruction-limit must have the form ${LIMITED.join('|')}=<number>, not "${word}"`,
    );
  });
  return Object.fromEntries(limits);
}

/** Host names to answer to. */
function readHosts(names: readonly string[]): readonly string[] {
  try {
    new ServedHosts(names);
    return names;
  } catch (error) {
    throw new UsageError(`--allow-host: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readCanisterUrl(pattern: string): string {
  if (/^https?:\/\/\{canisterId\}\.[^/?#]+\/?$/.test(pattern)) return pattern;
  throw new UsageError(
    `--canister-url must have the form https://{canisterId}.sites.example.com/, not "${pattern}"`,
  );
}

function readSwitch(name: string, word: string): boolean {
  if (word === 'on' || word === 'off') return word === 'on';
  throw new UsageError(`${name} must be on or off, not "${word}"`);
}

function readCandidUrl(pattern: string): string {
  if (/^https?:\/\/[^/?#]+\/.*\{canisterId\}/.test(pattern)) return pattern;
  throw new UsageError(
    `--candid-url must have the form http://localhost:4000/candid/?id={canisterId}, not "${pattern}"`,
  );
}

async function readProvisional(who: string): Promise<ProvisionalPolicy> {
  if (who === 'anyone' || who === 'nobody') return who;
  const { parsePrincipal } = await import('./http/endpoints/route.ts');
  try {
    return new Uint8Array(parsePrincipal(who));
  } catch {
    throw new UsageError(`--provisional must be anyone, nobody or a principal, not "${who}"`);
  }
}

async function readSettings(args: readonly string[]): Promise<Settings | 'help'> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'data-dir': { type: 'string' },
      host: { type: 'string', default: DEFAULT_HOST },
      port: { type: 'string', default: String(DEFAULT_PORT) },
      'allow-host': { type: 'string', multiple: true, default: [] },
      'canister-url': { type: 'string' },
      provisional: { type: 'string' },
      'http-outcalls': { type: 'string', default: 'off' },
      fees: { type: 'string', default: DEFAULT_FEE_PROFILE },
      'instruction-limit': { type: 'string', multiple: true, default: [] },
      dashboard: { type: 'string' },
      services: { type: 'string', default: 'default' },
      'candid-url': { type: 'string' },
      'allow-time-control': { type: 'boolean', default: false },
      controls: { type: 'boolean', default: false },
      'note-calls': { type: 'boolean', default: false },
      'exit-with-parent': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const dataDir = values['data-dir'];
  if (!dataDir) throw new UsageError('--data-dir is required');
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not "${values.port}"`);
  }
  const httpOutcalls = values['http-outcalls'];
  if (!isOutcallPolicy(httpOutcalls)) {
    throw new UsageError(`--http-outcalls must be off, https or https-and-loopback, not "${httpOutcalls}"`);
  }
  if (!isFeeProfile(values.fees)) {
    throw new UsageError(
      `--fees must be one of ${Object.keys(FEE_SCHEDULES).join(', ')}, not "${values.fees}"`,
    );
  }
  const { 'canister-url': canisterUrl, 'candid-url': candidUrl, provisional } = values;
  return {
    dataDir,
    host: values.host,
    port,
    hosts: readHosts(values['allow-host']),
    ...(canisterUrl !== undefined && { canisterUrl: readCanisterUrl(canisterUrl) }),
    ...(provisional !== undefined && { provisional: await readProvisional(provisional) }),
    httpOutcalls,
    fees: values.fees,
    instructionLimits: readLimits(values['instruction-limit']),
    ...(values.dashboard !== undefined && { dashboard: readSwitch('--dashboard', values.dashboard) }),
    services: readServices(values.services),
    ...(candidUrl !== undefined && { candidUrl: readCandidUrl(candidUrl) }),
    allowTimeControl: values['allow-time-control'],
    controls: values.controls,
    noteCalls: values['note-calls'],
    exitWithParent: values['exit-with-parent'],
  };
}

async function run({ exitWithParent, noteCalls, ...options }: Settings): Promise<void> {
  // Listening before the start lets a signal that comes during the start still end cleanly.
  const stop = stopSignals();
  if (exitWithParent) {
    process.stdin.resume();
    process.stdin.once('end', () => stop.resolve(undefined));
    process.stdin.once('error', () => stop.resolve(undefined));
  }
  callNotes.isThorough = noteCalls;
  const network = await begin(options);
  if (exitWithParent) {
    endWithParent();
    onSiteNames((names) => nameSites(network, names));
    onAskForFigures(() => network.figures());
    onAskNetwork(network.controls);
    sendHeartbeats(network.controls);
  }
  saveCompiledCode();
  await untilStopped(network, stop.promise);
  // An open standard input would keep the process alive.
  process.stdin.destroy();
}

async function begin(options: LocalNetworkOptions): Promise<LocalNetwork> {
  keepCompiledCode(options.dataDir);
  const { createLocalNetwork } = await import('./local-network.ts');
  const network = await createLocalNetwork(options);
  console.log(`network ready: ${network.url}`);
  return network;
}

/** Closes the network when it is to stop; ends this process when the network has failed. */
async function untilStopped(network: LocalNetwork, stop: Promise<undefined>): Promise<void> {
  const failure = await Promise.race([stop, network.failed]);
  if (failure) {
    // The state on disk is that of the last commit; whoever supervises this process starts it again.
    console.error(failure.message);
    process.exit(1);
  }
  await network.close();
}

/** Runs as the launcher of `icp network start`. */
async function launchForIcp(flags: readonly string[]): Promise<void> {
  const stop = stopSignals();
  const { readLauncherFlags, removeStatus, writeStatus } = await import('./icp-launcher.ts');
  const { network: options, statusDir, missing } = readLauncherFlags(flags);
  for (const flag of missing) console.error(`--${flag} is not supported here; the network starts without.`);
  const network = await begin(options);
  saveCompiledCode();
  writeStatus(statusDir, network);
  try {
    await untilStopped(network, stop.promise);
  } finally {
    removeStatus(statusDir);
  }
}

/** Resolves when this process is told to stop. */
function stopSignals(): PromiseWithResolvers<undefined> {
  const stop = Promise.withResolvers<undefined>();
  process.once('SIGINT', () => stop.resolve(undefined));
  process.once('SIGTERM', () => stop.resolve(undefined));
  return stop;
}

/** Names that are wrong are said to be so, and change nothing. */
function nameSites(network: LocalNetwork, names: ReadonlyMap<string, string>): void {
  try {
    network.nameSites(names);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
  }
}

function isUsageError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS');
}

try {
  const [command = '', ...rest] = process.argv.slice(2);
  // Only what is needed is loaded: how soon a network is ready matters.
  if (command === 'pocket-ic') await (await import('./pocket-ic/command.ts')).runPocketIc(rest, console.log);
  else if (command === '--icp-launcher') await launchForIcp(rest);
  else {
    const maintain = command.startsWith('-')
      ? undefined
      : (await import('./maintenance.ts')).maintenanceOf(command);
    const settings = maintain ? undefined : await readSettings(process.argv.slice(2));
    if (settings === 'help' || rest.includes('--help')) console.log(USAGE);
    else if (settings) await run(settings);
    else console.log(await maintain?.(rest));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (isUsageError(error)) console.error(`\n${USAGE}`);
  process.exit(1);
}
