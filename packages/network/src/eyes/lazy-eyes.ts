import type { ServerResponse } from 'node:http';
import type { PageRequest } from '../http/server.ts';
import type { Eyes, WatchedNetwork } from './eyes.ts';

/** Paths that may be of the dashboard. */
const PATHS = new Set(['/_/dashboard', '/_/dashboard/data', '/metrics']);

/** The dashboard, loaded when somebody asks for it: how soon a network is ready matters. */
export class LazyEyes {
  readonly #network: WatchedNetwork;
  #eyes: Promise<Eyes> | undefined;

  constructor(network: WatchedNetwork) {
    this.#network = network;
  }

  /** See `Eyes.answer`. */
  readonly answer = (page: PageRequest, response: ServerResponse): Promise<boolean> | undefined => {
    if (!PATHS.has(page.url.pathname)) return undefined;
    this.#eyes ??= import('./eyes.ts').then(({ Eyes }) => new Eyes(this.#network));
    return this.#eyes.then((eyes) => eyes.answer(page, response));
  };
}
