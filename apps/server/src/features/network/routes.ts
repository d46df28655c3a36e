import { networkEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { type Route, route } from '../../http/route.ts';
import { advanceTime, readNetwork, switchOutcalls } from './embedded-network.ts';

/** The embedded network, as every user of the console sees it. */
export function networkRoutes(ctx: AppContext): Route[] {
  return [
    route(networkEndpoints.read, () => readNetwork(ctx)),
    route(networkEndpoints.advance, ({ user, body }) => advanceTime(ctx, user, body.seconds)),
    route(networkEndpoints.outcalls, ({ user, body }) => switchOutcalls(ctx, user, body.allowed)),
  ];
}
