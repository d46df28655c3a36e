import type { EmbeddedNetwork } from '@cannery/contract';
import type { NetworkView } from '@cannery/network/program';
import { localUrl } from '../../config/host-and-port.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import type { NetworkControls } from '../../network/network-controls.ts';

/** How long a caller waits until time has come to where it was set; timers fire on the way. */
const TRAVEL_MS = 10_000;
const SWITCH_MS = 10_000;
const NANOS_PER_SECOND = 1_000_000_000n;
const NANOS_PER_MS = 1_000_000n;

/** @throws AppError not_found with another network than the embedded one, or network_unavailable */
export async function readNetwork(ctx: AppContext): Promise<EmbeddedNetwork> {
  return described(ctx, await controlsOf(ctx).view());
}

/**
 * Sets the time of the embedded network ahead for everybody. It may still be on its way when this answers.
 * @throws AppError not_found with another network, network_shared where others can reach it, network_rejected for a time that
 * is too far ahead, or network_unavailable
 */
export async function advanceTime(ctx: AppContext, user: Actor, seconds: number): Promise<EmbeddedNetwork> {
  const controls = controlsOf(ctx);
  const advance = String(BigInt(seconds) * NANOS_PER_SECOND);
  const view = (await controls.change({ advance }, TRAVEL_MS)) ?? (await controls.view());
  ctx.log.info({ user: user.id, seconds }, 'The time of the network was set ahead');
  return described(ctx, view);
}

/**
 * Lets canisters of the embedded network make HTTP requests, or not, also after it is started again.
 * @throws AppError not_found with another network, network_shared where others can reach it, or network_unavailable
 */
export async function switchOutcalls(
  ctx: AppContext,
  user: Actor,
  allowed: boolean,
): Promise<EmbeddedNetwork> {
  const controls = controlsOf(ctx);
  const view = (await controls.change({ outcalls: allowed }, SWITCH_MS)) ?? (await controls.view());
  ctx.log.info({ user: user.id, allowed }, 'HTTP requests of canisters were switched');
  return described(ctx, view);
}

function controlsOf({ embedded }: AppContext): NetworkControls {
  if (embedded === undefined) throw notFound('Network');
  return embedded.controls;
}

function described({ addresses, config, embedded }: AppContext, view: NetworkView): EmbeddedNetwork {
  const here = localUrl('localhost', embedded?.port ?? config.networkPort);
  return {
    addresses: [...new Set([addresses.networkUrl, here])],
    root_key: view.rootKey,
    time: new Date(Number(BigInt(view.nowNanos) / NANOS_PER_MS)).toISOString(),
    ahead_seconds: Math.round(view.aheadMs / 1000),
    advancing: view.isTravelling,
    outcalls: view.outcalls,
    controllable: view.isControlled,
    dashboard_url: view.hasDashboard ? `${here}/_/dashboard` : null,
    metrics_url: view.hasDashboard ? `${here}/metrics` : null,
    services: view.services.map(({ id, state }) => ({ id, state })),
  };
}
