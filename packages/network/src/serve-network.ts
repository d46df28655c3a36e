import { NodeSigner, startSigner } from '@cannery/ic/certification/signatures/signer';
import { createGateway, type GatewayOptions } from './gateway/gateway.ts';
import { SiteNames } from './gateway/visitors/site-names.ts';
import { GatewayParts } from './gateway/page/visit.ts';
import { certifiedState } from './http/endpoints/certified-state.ts';
import { type ListenAddress, startHttpServer } from './http/server.ts';
import type { NetworkService } from './http/endpoints/service.ts';
import { tally } from './http/transport/tally.ts';
import { LazyEyes } from './eyes/lazy-eyes.ts';
import { type NetworkFigures, type ProcessFigures, watchProcess } from './figures.ts';

/** The part of the service that is there before it is served. */
export type ServedNetwork = Pick<
  NetworkService,
  'engine' | 'keys' | 'isLoopback' | 'now' | 'machineNow' | 'timeControl'
> & {
  /** Unix time in nanoseconds by which requests are forgotten. */
  readonly believedNow?: () => bigint;
};

export interface NetworkServer extends AsyncDisposable {
  readonly port: number;
  /** See `LocalNetwork.figures`. */
  figures(): Promise<NetworkFigures>;
  /** See `LocalNetwork.nameSites`. */
  nameSites(names: ReadonlyMap<string, string>): void;
}

interface Preparation {
  /** What is to be done with the state before anybody is served. */
  prepare?(network: Pick<NetworkService, 'engine' | 'state' | 'now'>): Promise<void>;
}

/**
 * Serves a running engine: the interface of the Internet Computer and the gateway, on one address. Resolves when it
 * answers; rejects with `AddressInUseError` when the port is taken. To dispose of it does not close the engine.
 */
export async function serveNetwork(
  network: ServedNetwork,
  {
    prepare,
    ...address
  }: ListenAddress &
    Pick<GatewayOptions, 'canisterUrl' | 'candidPage'> &
    Preparation & { readonly dashboard?: boolean },
): Promise<NetworkServer> {
  const { engine, keys, now, believedNow } = network;
  await using resources = new AsyncDisposableStack();
  const signer = resources.adopt(startSigner(keys.rootSecretKey), (each) => each.close());
  const certified = await certifiedState(engine, keys, signer, now, believedNow);
  await prepare?.({ engine, now, state: certified.state });
  const service = { ...network, ...certified, nodeSigner: new NodeSigner(keys) };
  const gateway = resources.use(new GatewayParts(service));
  const names = new SiteNames(address.canisterUrl);
  // Each who asks has the time since it asked last: how late the event loop was is told of that time.
  const figuresOf = (): (() => Promise<NetworkFigures>) => {
    let ofProcess: (() => ProcessFigures) | undefined;
    return async () => {
      ofProcess ??= watchProcess();
      const { answers, bytes } = gateway.kept.held;
      return {
        engine: await engine.figures(),
        rounds: certified.certifier.rounds,
        http: tally.figures,
        kept: { answers, bytes },
        process: ofProcess(),
      };
    };
  };
  const eyes = new LazyEyes({ ...service, figures: figuresOf() });
  const pages = {
    handle: createGateway(gateway, { ...address, names }),
    atHand: gateway.kept,
    ...(address.dashboard && { aside: eyes.answer }),
  };
  const server = await startHttpServer(service, pages, address);
  resources.defer(() => server.close());
  const running = resources.move();
  return {
    port: server.port,
    figures: figuresOf(),
    nameSites: (given) => gateway.kept.forget(names.replace(given)),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
