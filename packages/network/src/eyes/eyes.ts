import type { IncomingMessage, ServerResponse } from 'node:http';
import { principalText } from '../http/identity/authentication.ts';
import type { NetworkService } from '../http/endpoints/service.ts';
import type { PageRequest } from '../http/server.ts';
import type { RequestHost } from '../http/transport/served-hosts.ts';
import { MOST_SHOWN, type View, viewOf } from './view.ts';
import type { NetworkFigures } from '../figures.ts';
import { parseId } from '../gateway/visitors/addresses.ts';
import { DASHBOARD_HEADERS, DASHBOARD_PAGE } from './dashboard-page.ts';
import { isOfAnotherPage, isToNetworkItself } from './door.ts';
import { Looks } from './looks.ts';
import { METRICS_TYPE, metricsText } from './metrics-text.ts';
import { networkMetrics } from './network-metrics.ts';

/** What is looked at. */
export type WatchedNetwork = Pick<NetworkService, 'engine' | 'state' | 'keys' | 'now' | 'machineNow'> & {
  /** Counted meanwhile. */
  figures(): Promise<NetworkFigures>;
};

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const PAGE_PATH = '/_/dashboard';
const METRICS_PATH = '/metrics';
const BUSY: Reply = {
  ...plain(503, 'Too many look at once; look again in a moment.'),
  headers: { 'retry-after': '2' },
};

/** The dashboard of a network, and its metrics: for people and programs of this computer, to look at only. */
export class Eyes {
  readonly #network: WatchedNetwork;
  readonly #views = new Looks<Buffer>();
  readonly #metrics = new Looks<string>();

  constructor(network: WatchedNetwork) {
    this.#network = network;
  }

  /** Answers a request that is for it; false where it is for a canister's page, or not of this computer. */
  async answer({ request, host, url }: PageRequest, response: ServerResponse): Promise<boolean> {
    if (!isToNetworkItself(request, host, url)) return false;
    const isHead = request.method === 'HEAD';
    const reply = await this.#reply(request, host, url);
    response.writeHead(reply.status, {
      'content-type': reply.type,
      'content-length': Buffer.byteLength(reply.body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      ...reply.headers,
    });
    response.end(isHead ? undefined : reply.body);
    return true;
  }

  async #reply(request: IncomingMessage, host: RequestHost, url: URL): Promise<Reply> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return plain(405, 'This can be looked at only.');
    if (isOfAnotherPage(request, host)) return plain(403, 'Pages of other origins may not look at this.');
    if (url.pathname === PAGE_PATH)
      return {
        status: 200,
        type: 'text/html; charset=utf-8',
        body: DASHBOARD_PAGE,
        headers: DASHBOARD_HEADERS,
      };
    if (url.pathname === METRICS_PATH) return this.#metricsReply();
    return this.#dataReply(url.searchParams);
  }

  async #metricsReply(): Promise<Reply> {
    const text = await this.#metrics.ask('', async () =>
      metricsText(networkMetrics(await this.#network.figures())),
    );
    return text === undefined ? BUSY : { status: 200, type: METRICS_TYPE, body: text };
  }

  /** `from`: place of the first canister in the list; `canister`: that one alone. */
  async #dataReply(query: URLSearchParams): Promise<Reply> {
    const wanted = query.get('canister');
    const from = query.get('from') ?? '0';
    const id = wanted === null ? undefined : parseId(wanted);
    if ((wanted !== null && !id) || !/^\d{1,9}$/.test(from))
      return plain(400, 'There is no canister of this ID, and no such place in the list.');
    const key = id ? `id ${wanted}` : `from ${Number(from)}`;
    const body = await this.#views.ask(key, async () =>
      Buffer.from(JSON.stringify(await this.#view(id ?? Number(from)))),
    );
    return body === undefined ? BUSY : { status: 200, type: 'application/json', body };
  }

  async #view(wanted: Uint8Array | number): Promise<View> {
    const { engine, state, keys, figures } = this.#network;
    const total = state.canisterCount;
    const from = typeof wanted === 'number' ? Math.min(wanted, Math.max(0, total - 1)) : 0;
    const ids =
      typeof wanted === 'number'
        ? state.canistersFrom(from, MOST_SHOWN).map(({ canisterId }) => canisterId)
        : [wanted];
    const [survey, counted] = await Promise.all([engine.survey(ids), figures.call(this.#network)]);
    return viewOf({
      subnet: principalText(keys.subnetId),
      nowNanos: this.#network.now(),
      figures: counted,
      survey,
      from,
      total,
    });
  }
}

function plain(status: number, sentence: string): Reply {
  return { status, type: 'text/plain; charset=utf-8', body: `${sentence}\n` };
}
