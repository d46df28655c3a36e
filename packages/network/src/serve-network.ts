import { NodeSigner, startSigner } from '@cannery/ic/certification/signatures/signer';
import { createGateway, type GatewayOptions } from './gateway/gateway.ts';
import { GatewayParts } from './gateway/page/visit.ts';
import { certifiedState } from './http/endpoints/certified-state.ts';
import { type ListenAddress, startHttpServer } from './http/server.ts';
import type { NetworkService } from './http/endpoints/service.ts';

/** The part of the service that is there before it is served. */
export type ServedNetwork = Pick<NetworkService, 'engine' | 'keys' | 'now' | 'machineNow' | 'setTime'> & {
  /** Unix time in nanoseconds by which requests are forgotten. */
  readonly believedNow?: () => bigint;
};

export interface NetworkServer extends AsyncDisposable {
  readonly port: number;
}

/**
 * Serves a running engine: the interface of the Internet Computer and the gateway, on one address. Resolves when it
 * answers; rejects with `AddressInUseError` when the port is taken. To dispose of it does not close the engine.
 */
export async function serveNetwork(
  network: ServedNetwork,
  address: ListenAddress & GatewayOptions,
): Promise<NetworkServer> {
  const { engine, keys, now, believedNow } = network;
  await using resources = new AsyncDisposableStack();
  const signer = resources.adopt(startSigner(keys.rootSecretKey), (each) => each.close());
  const certified = await certifiedState(engine, keys, signer, now, believedNow);
  const service = { ...network, ...certified, nodeSigner: new NodeSigner(keys) };
  const gateway = resources.use(new GatewayParts(service));
  const pages = { handle: createGateway(gateway, address), atHand: gateway.kept };
  const server = await startHttpServer(service, pages, address);
  resources.defer(() => server.close());
  const running = resources.move();
  return { port: server.port, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
