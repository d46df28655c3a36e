import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { BuildError } from '../../../builders/build-error.ts';
import { systemResolve } from '../../../egress/connect.ts';

/** How long one answer may take, in milliseconds. */
const ANSWER_MS = 10_000;
/** A gateway that has just lost its network, or a canister that is just being started, is tried this often. */
const TRIES = 3;
const PAUSE_MS = 1_000;

/**
 * Asks for the first page of a site that has just been published, through the gateway as a visitor would.
 * @param address of the site, as visitors see it
 * @param wasAway waits until the network answers, and says whether it did not before: then the page is asked for from the beginning
 * @returns whether there was an answer; a server may be unable to reach its own public address
 * @throws BuildError when the answer is an error
 */
export async function visitSite(
  address: string,
  signal: AbortSignal,
  wasAway: () => Promise<boolean> = async () => false,
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const status = await statusOf(new URL('/', address), signal).catch(() => null);
    signal.throwIfAborted();
    if (status !== null && status < 400) return true;
    if ((status === null || status >= 500) && (await wasAway())) {
      tries = 0;
      continue;
    }
    if (status === null) return false;
    if (status < 500 || tries === TRIES) {
      throw new BuildError(
        `The files of the site are published, but its address answers ${status}: ${address}. ` +
          'Open it to see the reason, and deploy again when it is mended.',
      );
    }
    await delay(PAUSE_MS, undefined, { signal });
  }
}

/** Nothing of the body is read: the status says enough, and a body may be long. */
async function statusOf(url: URL, signal: AbortSignal): Promise<number> {
  const [host] = await systemResolve(url.hostname.replace(/^\[|\]$/g, ''));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { request } = url.protocol === 'https:' ? https : http;
  request(
    {
      host,
      port: url.port,
      path: url.pathname,
      headers: { host: url.host },
      servername: url.hostname,
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    },
    (answer) => {
      answer.destroy();
      resolve(answer.statusCode ?? 0);
    },
  )
    .once('error', reject)
    .end();
  return promise;
}
