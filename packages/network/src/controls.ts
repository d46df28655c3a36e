import type { SubnetTime } from '@cannery/replica/clock';
import type { StartedEngine } from '@cannery/replica/engine/host';
import { sameId } from '@cannery/replica/state/canister-id';
import { SYSTEM_PRINCIPAL } from '@cannery/replica/state/provisional';
import type { StateTree } from '@cannery/ic/certification/tree/state-tree';
import type { Service } from './services/chosen-services.ts';

const NANOS_PER_MS = 1_000_000n;

/** What is at the place of a system canister. `foreign`: a canister that the network does not control. */
type ServiceState = 'running' | 'stopping' | 'stopped' | 'empty' | 'missing' | 'foreign';

/** How a network is, for the console of the same computer. Survives JSON. */
export interface NetworkView {
  /** Whether time and outcalls are in the hands of who asks: where nobody else can reach the network. */
  readonly isControlled: boolean;
  /** Unix time of the network in nanoseconds, decimal. */
  readonly nowNanos: string;
  /** By how much time was set ahead of the machine's clock, in milliseconds. */
  readonly aheadMs: number;
  /** Time is on its way to what was asked for. */
  readonly isTravelling: boolean;
  /** Whether canisters may make HTTP requests. */
  readonly outcalls: boolean;
  /** The root key (DER) in hexadecimal. */
  readonly rootKey: string;
  readonly hasDashboard: boolean;
  /** System canisters that it was told to bring along. */
  readonly services: readonly {
    readonly service: Service;
    readonly id: string;
    readonly state: ServiceState;
  }[];
}

/** Time or outcalls were to be changed where others reach the network. */
class NotControlledError extends Error {
  override readonly name = 'NotControlledError';

  constructor() {
    super('Others can reach this network, so its time and the calls of its canisters stay as they are.');
  }
}

/** Time is to be set ahead while it is still on its way. */
class TravellingError extends Error {
  override readonly name = 'TravellingError';

  constructor() {
    super('Time is still on its way to where it was set. Timers that are due meanwhile fire first.');
  }
}

/** What the controls work with. */
interface ControlledNetwork {
  readonly engine: StartedEngine;
  readonly time: SubnetTime;
  readonly state: () => StateTree | undefined;
  readonly isControlled: boolean;
  readonly rootKey: Uint8Array;
  readonly hasDashboard: boolean;
  readonly services: ReadonlySet<Service>;
}

/** A network in the hands of the computer it runs on. */
export class Controls {
  readonly #network: ControlledNetwork;
  #isTravelling = false;

  constructor(network: ControlledNetwork) {
    this.#network = network;
  }

  /** See `NetworkView`. */
  get isControlled(): boolean {
    return this.#network.isControlled;
  }

  /** By how much time was set ahead of the machine's clock, in milliseconds. */
  get aheadMs(): number {
    return Number(this.#network.time.offsetNanos / NANOS_PER_MS);
  }

  /** Sets time ahead by a number of nanoseconds, see `LocalNetwork.advanceTime`. @throws NotControlledError, TravellingError, or for the year 2255 */
  async advance(nanos: bigint): Promise<void> {
    const { engine } = this.#network;
    if (!this.isControlled) throw new NotControlledError();
    if (this.#isTravelling) throw new TravellingError();
    this.#isTravelling = true;
    try {
      await engine.advanceTime(nanos);
    } finally {
      this.#isTravelling = false;
    }
  }

  /** Whether canisters may make HTTP requests from now on, also over a restart. @throws NotControlledError */
  async switchOutcalls(on: boolean): Promise<void> {
    if (!this.isControlled) throw new NotControlledError();
    await this.#network.engine.outcalls(on);
  }

  async view(): Promise<NetworkView> {
    const { engine, time, rootKey, hasDashboard } = this.#network;
    const [outcalls, services] = await Promise.all([engine.outcalls(), this.#services()]);
    return {
      isControlled: this.isControlled,
      nowNanos: String(time.now()),
      aheadMs: this.aheadMs,
      isTravelling: this.#isTravelling,
      outcalls,
      rootKey: Buffer.from(rootKey).toString('hex'),
      hasDashboard,
      services,
    };
  }

  async #services(): Promise<NetworkView['services']> {
    const { engine, state, services } = this.#network;
    if (services.size === 0) return [];
    // Loaded when somebody asks: how soon a network is ready matters.
    const [{ Principal }, { serviceCanisters }, { CANDID_UI }] = await Promise.all([
      import('@icp-sdk/core/principal'),
      import('./services/system-canisters.ts'),
      import('./gateway/page/candid-page.ts'),
    ]);
    const places: { service: Service; id: string }[] = [
      ...serviceCanisters.map(({ service, canister }) => ({ service, id: canister.id })),
      { service: 'candid-ui', id: CANDID_UI },
    ];
    const wanted = places
      .filter(({ service }) => services.has(service))
      .map((place) => ({ ...place, bytes: Principal.fromText(place.id).toUint8Array() }));
    const survey = await engine.survey(wanted.map(({ bytes }) => bytes));
    return wanted.map(({ service, id, bytes }) => {
      const found = survey.canisters.find((canister) => sameId(canister.id, bytes));
      return { service, id, state: serviceState(service, found, state()?.canister(bytes)?.controllers) };
    });
  }
}

function serviceState(
  service: Service,
  found: { readonly status: ServiceState; readonly moduleHash: Uint8Array | undefined } | undefined,
  controllers: readonly Uint8Array[] = [],
): ServiceState {
  // The Candid page is the network's own, until somebody creates a canister in its place.
  if (!found) return service === 'candid-ui' ? 'running' : 'missing';
  const [controller, ...others] = controllers;
  if (!controller || others.length > 0 || !sameId(controller, SYSTEM_PRINCIPAL)) return 'foreign';
  return found.moduleHash ? found.status : 'empty';
}
