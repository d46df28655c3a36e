import { liveEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { eventRoute, type Route } from '../../http/route.ts';
import { createLiveStreams } from './live-streams.ts';

/** What changes, as it changes. */
export function liveRoutes(ctx: AppContext): Route[] {
  const streams = createLiveStreams(ctx);
  return [eventRoute(liveEndpoints.events, async ({ user, token }) => streams.open(user, token))];
}
