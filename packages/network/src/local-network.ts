import { existsSync, mkdirSync } from 'node:fs';
import { loadOrCreateKeys } from '@cannery/ic/certification/signatures/keys';
import { PatientTime, SubnetTime } from '@cannery/replica/clock';
import type { FeeProfile } from '@cannery/replica/cycles/fee-schedule';
import { type EngineConfiguration, type StartedEngine, startEngine } from '@cannery/replica/engine/host';
import type { StateTree } from '@cannery/ic/certification/tree/state-tree';
import { Controls } from './controls.ts';
import type { NetworkFigures } from './figures.ts';
import { warnOfClock } from './http/transport/clock-warning.ts';
import { DEFAULT_HOST, DEFAULT_PORT, ServedHosts } from './http/transport/served-hosts.ts';
import type { InstructionLimits } from '@cannery/ic/limits';
import { serveBackups } from '@cannery/store/backup/backup-socket';
import { storePaths } from '@cannery/store/files/layout';
import type { OutcallPolicy } from '@cannery/replica/state/outcall';
import { hasCanisters, type Service } from './services/chosen-services.ts';
import type { FirstStart } from './services/first-start.ts';
import type { ProvisionalPolicy } from '@cannery/replica/state/provisional';

export interface LocalNetworkOptions {
  /** Directory that holds everything the network has to remember; made if it does not exist. */
  readonly dataDir: string;
  /** Address to listen on. */
  readonly host?: string;
  /** Port to listen on; 0 picks a free one. */
  readonly port?: number;
  /** Host names to answer to besides those of loopback and `host`; `*.example.com` for all below one. */
  readonly hosts?: readonly string[];
  /** Where browsers reach the sites of canisters from other computers, such as `https://{canisterId}.example.com/`. */
  readonly canisterUrl?: string;
  /**
   * Who may make cycles from nothing with the `provisional_*` methods. Where not given: everybody, if only this computer
   * can reach the network (`host` and `hosts` are those of loopback); else nobody.
   */
  readonly provisional?: ProvisionalPolicy;
  /** Lower limits stop runaway code sooner; the default is what the Internet Computer allows. */
  readonly instructionLimits?: Partial<InstructionLimits>;
  /** What things cost; the published fees (`DEFAULT_FEE_PROFILE`) where not given. */
  readonly fees?: FeeProfile;
  /**
   * Which HTTP requests canisters may make: `off` (the default), `https` to public addresses, or `https-and-loopback`,
   * which adds `http` and `https` to this machine.
   */
  readonly httpOutcalls?: OutcallPolicy;
  /**
   * Whether `/_/dashboard` and `/metrics` are answered, at loopback addresses and to programs of this computer only. Where not given:
   * if nobody else can reach the network (`host` and `hosts` are those of loopback, and there is no `canisterUrl`).
   */
  readonly dashboard?: boolean;
  /** Time stands still but for `setTime` and `advanceTime`: for tests that must not depend on how long they take. */
  readonly stopTime?: boolean;
  /** Lets other processes set the time at `/_/time` of the network's address; only for networks made for tests. */
  readonly allowTimeControl?: boolean;
  /**
   * Lets `controls` set the time, and say whether canisters call out, in place of `httpOutcalls`; only where nobody else can reach the
   * network (see `dashboard`).
   */
  readonly controls?: boolean;
  /** System canisters to bring along, and the Candid page; none where not given. The first start installs them. */
  readonly services?: ReadonlySet<Service>;
  /** Where a console shows Candid pages, such as `http://localhost:4000/candid/?id={canisterId}`. */
  readonly candidUrl?: string;
}

const NO_SERVICES: ReadonlySet<Service> = new Set();

/** A running local network. */
export interface LocalNetwork {
  /** Base address for agents, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** The root key (DER) against which clients verify certificates. */
  readonly rootKey: Uint8Array;
  /** Resolves with the reason when the network can no longer run canisters; start it again on the same directory. */
  readonly failed: Promise<Error>;
  /** Unix time of the network in nanoseconds. */
  now(): bigint;
  /**
   * Sets the network's time ahead to `nanos` (since 1970), firing every timer that becomes due on the way, in order;
   * does nothing for a time that has passed. Certificates and the expiry of requests go by the new time at once.
   */
  setTime(nanos: bigint): Promise<void>;
  /** Sets the network's time ahead by `nanos`, see `setTime`: by all of it, however busy the network is. */
  advanceTime(nanos: bigint): Promise<void>;
  /**
   * Copies canisters and keys, as of some moment during the call, to a new folder that a network can be started on.
   * Canisters go on meanwhile. Rejects when the folder exists or the disk refuses.
   */
  backup(to: string): Promise<void>;
  /**
   * Says by which names sites are served besides the IDs of their canisters, all of them: `shop` is `shop.localhost`, or below the
   * host of `canisterUrl`. It forgets them when it is closed. Throws `RangeError` for more than 10,000 and for what cannot be a
   * name.
   * @param names the text form of a canister's ID by the name
   */
  nameSites(names: ReadonlyMap<string, string>): void;
  /** How it is, and what may be changed while it runs. */
  readonly controls: Controls;
  /** How it is doing. The first call begins to watch the event loop of this thread. */
  figures(): Promise<NetworkFigures>;
  /** Finishes what is running, writes everything to disk and stops. */
  close(): Promise<void>;
}

/**
 * Starts a network on `dataDir`, continuing where it was stopped or killed, and resolves when it answers.
 * Rejects when the directory is in use by another network, the port is taken, or one of `hosts` is no name.
 */
export async function createLocalNetwork(options: LocalNetworkOptions): Promise<LocalNetwork> {
  const {
    dataDir,
    host = DEFAULT_HOST,
    port = DEFAULT_PORT,
    hosts = [],
    canisterUrl,
    instructionLimits,
    fees,
    httpOutcalls,
    stopTime,
    services = NO_SERVICES,
    candidUrl,
  } = options;
  const { areLoopback } = new ServedHosts([host, ...hosts]);
  const time = new SubnetTime();
  mkdirSync(dataDir, { recursive: true });
  const keys = await loadOrCreateKeys(dataDir);
  await using resources = new AsyncDisposableStack();
  const isLoopback = areLoopback && canisterUrl === undefined;
  const isControlled = options.controls === true && isLoopback;
  const hasDashboard = options.dashboard ?? isLoopback;
  const provisional = options.provisional ?? (areLoopback ? 'anyone' : 'nobody');
  const configuration = {
    dataDir,
    rootKeyDer: keys.rootKey,
    subnetId: keys.subnetId,
    instructionLimits,
    fees,
    httpOutcalls,
    outcallSwitch: isControlled,
    provisional,
    stopTime,
    time: time.buffer,
  };
  // The engine's thread is there first, and reads the state while this one loads what serves it.
  const [started, { serveNetwork }] = await Promise.all([
    startPrepared(services, configuration),
    import('./serve-network.ts'),
  ]);
  const engine = resources.adopt(started, (each) => each.close());
  resources.adopt(await serveBackups(dataDir, (to, moment) => engine.backup(to, moment)), (each) =>
    each.close(),
  );
  const now = (): bigint => time.now();
  resources.adopt(warnOfClock(time), clearInterval);
  const patient = new PatientTime(time, now());
  const service = {
    engine,
    keys,
    isLoopback,
    now,
    machineNow: () => time.machine(),
    believedNow: () => patient.now(),
    ...(options.allowTimeControl && { timeControl: engine }),
  };
  let state: StateTree | undefined;
  const server = resources.use(
    await serveNetwork(service, {
      host,
      port,
      hosts,
      dashboard: hasDashboard,
      ...(canisterUrl && { canisterUrl }),
      ...(services.has('candid-ui') && { candidPage: { url: candidUrl } }),
      async prepare(network) {
        state = network.state;
        if (services.size === 0) return;
        const { installServices } = await import('./services/install-services.ts');
        await installServices(network, services, { subnetId: keys.subnetId, provisional });
      },
    }),
  );

  const running = resources.move();
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    port: server.port,
    rootKey: keys.rootKey,
    failed: engine.failed,
    now,
    setTime: (nanos) => engine.setTime(nanos),
    advanceTime: (nanos) => engine.advanceTime(nanos),
    backup: (to) => engine.backup(to),
    controls: new Controls({
      engine,
      time,
      state: () => state,
      isControlled,
      rootKey: keys.rootKey,
      hasDashboard,
      services,
    }),
    nameSites: (names) => server.nameSites(names),
    figures: () => server.figures(),
    close: () => running.disposeAsync(),
  };
}

/** Starts the engine: at once, or where its system canisters are still to come, when another process has put in place what it could. */
async function startPrepared(
  services: ReadonlySet<Service>,
  configuration: EngineConfiguration & Pick<FirstStart, 'provisional'>,
): Promise<StartedEngine> {
  const { dataDir, instructionLimits, fees, stopTime, provisional } = configuration;
  if (hasCanisters(services) && !existsSync(storePaths.index(dataDir))) {
    const { prepareFirstStart } = await import('./services/first-start.ts');
    await prepareFirstStart({
      services,
      provisional,
      engine: { dataDir, instructionLimits, fees, stopTime },
    });
  }
  return startEngine(configuration);
}
