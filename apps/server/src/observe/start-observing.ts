import type { NetworkFigures } from '@cannery/network/program';
import type { MetricsLibrary } from '../metrics/instrument.ts';
import { type Checks, checksOf, findAll } from './checks.ts';
import { type DoorAnswer, openDoor } from './door.ts';
import { networkText } from './network-metrics.ts';
import type { WatchedParts } from './parts.ts';
import { fillRegistry } from './registry.ts';
import { Sampled } from './sampled.ts';

/** However often it is scraped, the text is made once in this time, in milliseconds. */
const SCRAPE_MS = 1_000;

/** What hangs has its own bounds, one after the other at most; Prometheus waits for 10 s by itself. */
const PATIENCE_MS = 4_000;

/**
 * Answers how this process is doing on the listener of METRICS_PORT: `/metrics` for Prometheus, `/live`, and `/ready` with what
 * each check finds. Without that setting nothing is loaded, listened on or counted.
 * @throws StartError when the port cannot be had
 */
export async function startObserving(
  parts: WatchedParts,
  more: Pick<WatchedParts, 'network' | 'workerUp'> = {},
): Promise<AsyncDisposable> {
  const watched = { ...parts, ...more };
  const { metrics } = watched.config;
  if (metrics === undefined) return { [Symbol.asyncDispose]: async () => undefined };
  const library = await loadLibrary();
  const checks = checksOf(watched);
  const registry = new library.Registry();
  fillRegistry(library, registry, watched, checks);
  const { network } = watched;
  const text = new Sampled(
    SCRAPE_MS,
    async () => {
      const own = registry.metrics();
      if (network === undefined) return own;
      const ofNetwork = figuresOf(network).then((figures) => networkText(library, figures));
      return (await Promise.all([own, ofNetwork])).join('\n');
    },
    PATIENCE_MS,
  );
  return openDoor(metrics, {
    '/metrics': async () => {
      const body = await text.get();
      if (body === undefined) return { status: 503, type: 'text/plain; charset=utf-8', body: 'Too slow.\n' };
      return { status: 200, type: registry.contentType, body };
    },
    '/live': async () => json(200, { status: 'ok', uptime_s: Math.round(process.uptime()) }),
    '/ready': () => ready(checks),
  });
}

/** It is loaded only where it is used: that takes as long as a tenth of a start. */
async function loadLibrary(): Promise<MetricsLibrary> {
  const loaded = await import('prom-client');
  return 'default' in loaded ? (loaded.default as MetricsLibrary) : loaded;
}

async function figuresOf(network: NonNullable<WatchedParts['network']>): Promise<NetworkFigures | undefined> {
  return network.figures().catch(() => undefined);
}

async function ready(checks: Checks): Promise<DoorAnswer> {
  const found = await findAll(checks);
  const isReady = Object.values(found).every(({ ok }) => ok);
  return json(isReady ? 200 : 503, { status: isReady ? 'ok' : 'not ready', checks: found });
}

function json(status: number, value: unknown): DoorAnswer {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(value)}\n` };
}
