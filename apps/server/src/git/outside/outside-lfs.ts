import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import type { RepositoryAddress } from '@cannery/contract';
import type { EgressHost } from '../../egress/egress-host.ts';
import type { EgressProxy, WayOut } from '../../egress/egress-proxy.ts';
import { storageError } from '../../storage-errors.ts';
import { type FoundObject, type LfsObject, type LfsSource, OBJECT_LIMIT } from '../lfs/lfs-object.ts';
import { ANSWER_BYTES, ASKED_AT_ONCE, type ObjectPlace, placeAt, readLfsAnswer } from './lfs-answer.ts';

/** How objects of another host are reached. */
export interface LfsWays {
  readonly proxy: EgressProxy;
  /** The host of a repository, as the operator allows it. */
  readonly hostsOf: (repository: RepositoryAddress) => readonly EgressHost[];
  /** Certificates that are trusted, in PEM form; the usual ones where none are named. */
  readonly ca: string | undefined;
}

/** What comes ahead of its turn: this many objects, of these bytes together. */
const AHEAD = { objects: 4, bytes: 64 * 1024 ** 2 };
/** Hosts that the objects of one repository are fetched from, and addresses that one object is sent on to. */
const HOSTS_LIMIT = 8;
const REDIRECTS_LIMIT = 3;
/** Bytes over the network beside those of the objects: answers, headers and what TLS adds. */
const OVERHEAD = { bytes: 16 * 1024 ** 2, share: 1.1 };
const CONNECTIONS = 8;
/** How long a host may be silent, in milliseconds. */
const SILENCE_MS = 30_000;
const HTTPS = 443;
const LFS_JSON = 'application/vnd.git-lfs+json';

/** An object cannot be had, and why. */
class NoObject extends Error {
  override readonly name = 'NoObject';
}

/**
 * Objects of a public repository of another host, by its batch API. Nothing is sent along that would open more than what is public, and no
 * setting of the repository counts. Each object is held against its id and size before it is given out.
 * @param folder where none is yet; the server's own
 */
export function outsideObjects(ways: LfsWays, repository: RepositoryAddress, folder: string): LfsSource {
  return {
    async *objects(wanted, signal) {
      const fetching = new Fetching(ways, repository, { folder, signal, wanted });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        for (let at = 0; at < wanted.length; at += ASKED_AT_ONCE)
          yield* fetching.some(wanted.slice(at, at + ASKED_AT_ONCE));
      } finally {
        await fetching.end();
      }
    },
  };
}

/** The objects of one build under way. */
class Fetching {
  readonly #ways: LfsWays;
  readonly #repository: RepositoryAddress;
  readonly #folder: string;
  /** Aborts with the build, or when what is under way is of no use any more. */
  readonly #signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #wireBytes: number;
  readonly #agents = new Map<string, Promise<{ agent: Agent; way: WayOut; notes: string[] }>>();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(
    ways: LfsWays,
    repository: RepositoryAddress,
    { folder, signal, wanted }: { folder: string; signal: AbortSignal; wanted: readonly LfsObject[] },
  ) {
    this.#ways = ways;
    this.#repository = repository;
    this.#folder = folder;
    this.#signal = AbortSignal.any([signal, this.#over.signal]);
    const bytes = wanted.reduce((sum, { size }) => sum + size, 0);
    this.#wireBytes = Math.ceil(bytes * OVERHEAD.share) + OVERHEAD.bytes;
  }

  /** Objects that are asked for with one request. */
  async *some(wanted: readonly LfsObject[]): AsyncGenerator<FoundObject> {
    const places = await this.#placesOf(wanted);
    const started: Promise<FoundObject['found']>[] = [];
    let bytesAhead = 0;
    for (const [turn, object] of wanted.entries()) {
      for (let next = wanted[started.length]; next !== undefined; next = wanted[started.length]) {
        const isAhead = started.length > turn;
        if (isAhead && (started.length - turn >= AHEAD.objects || bytesAhead + next.size > AHEAD.bytes))
          break;
        bytesAhead += next.size;
        started.push(this.#watched(this.#bring(next, places)));
      }
      const found = (await started[turn]) ?? { cause: '' };
      this.#signal.throwIfAborted();
      yield { object, found };
      bytesAhead -= object.size;
      await rm(this.#fileOf(object), { force: true });
    }
  }

  /** Ends what is under way and removes its files. */
  async end(): Promise<void> {
    this.#over.abort(new NoObject('It is not wanted any more.'));
    await Promise.allSettled(this.#underWay);
    for (const opening of this.#agents.values()) {
      const opened = await opening.catch(() => null);
      opened?.agent.destroy();
      await opened?.way.close();
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  #watched<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    return work.finally(() => this.#underWay.delete(work));
  }

  #fileOf({ oid }: LfsObject): string {
    return join(this.#folder, oid);
  }

  /** Where objects are; all have the same cause when the host gives no answer. */
  async #placesOf(wanted: readonly LfsObject[]): Promise<(object: LfsObject) => ObjectPlace> {
    try {
      const places = await this.#ask(wanted);
      return ({ oid }) => places.get(oid) ?? { cause: 'The host does not say where they are.' };
    } catch (error) {
      this.#signal.throwIfAborted();
      const { cause } = causeOf(error);
      return () => ({ cause });
    }
  }

  async #ask(wanted: readonly LfsObject[]): Promise<Map<string, ObjectPlace>> {
    const body = JSON.stringify({
      operation: 'download',
      transfers: ['basic'],
      hash_algo: 'sha256',
      objects: wanted.map(({ oid, size }) => ({ oid, size })),
    });
    const url = new URL(`${this.#repository.url}.git/info/lfs/objects/batch`);
    const answer = await this.#request(url, {
      method: 'POST',
      headers: {
        accept: LFS_JSON,
        'content-type': LFS_JSON,
        'content-length': String(Buffer.byteLength(body)),
      },
      body,
    });
    try {
      const status = answer.statusCode ?? 0;
      if ([401, 403, 404].includes(status))
        throw new NoObject(
          `${this.#repository.host} gives them to nobody without an account, or has none (${status}).`,
        );
      if (status !== 200)
        throw new NoObject(`${this.#repository.host} refuses to say where they are (${status}).`);
      const pieces: Buffer[] = [];
      let length = 0;
      for await (const piece of answer as AsyncIterable<Buffer>) {
        length += piece.length;
        if (length > ANSWER_BYTES) break;
        pieces.push(piece);
      }
      const places =
        length > ANSWER_BYTES ? null : readLfsAnswer(Buffer.concat(pieces).toString('utf8'), wanted);
      if (places === null) throw new NoObject(`${this.#repository.host} gives no answer of Git LFS.`);
      return places;
    } finally {
      answer.destroy();
    }
  }

  async #bring(
    object: LfsObject,
    placeOf: (object: LfsObject) => ObjectPlace,
  ): Promise<FoundObject['found']> {
    try {
      if (object.size > OBJECT_LIMIT)
        throw new NoObject(`A file of Git LFS may have ${OBJECT_LIMIT / 1024 ** 2} MB at most.`);
      const place = placeOf(object);
      if ('cause' in place) return place;
      const answer = await this.#follow(place.href);
      try {
        await write(this.#fileOf(object), object, answer as AsyncIterable<Buffer>);
      } finally {
        answer.destroy();
      }
      return { read: () => createReadStream(this.#fileOf(object)) as AsyncIterable<Uint8Array> };
    } catch (error) {
      return causeOf(error);
    }
  }

  async #follow(start: URL): Promise<IncomingMessage> {
    let url = start;
    for (let followed = 0; followed <= REDIRECTS_LIMIT; followed += 1) {
      const answer = await this.#request(url, {
        method: 'GET',
        headers: { accept: '*/*', 'accept-encoding': 'identity' },
      });
      const { statusCode: status = 0 } = answer;
      if (status === 200) return answer;
      answer.destroy();
      const { location } = answer.headers;
      if (![301, 302, 303, 307, 308].includes(status) || location === undefined)
        throw new NoObject(`${url.host} does not give them out (${status}).`);
      const next = URL.canParse(location, url) ? placeAt(new URL(location, url).href) : placeAt(location);
      if ('cause' in next) throw new NoObject(next.cause);
      url = next.href;
    }
    throw new NoObject(`${start.host} sends on too often.`);
  }

  async #request(
    url: URL,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<IncomingMessage> {
    const { agent, notes } = await this.#agentFor(url);
    const { ca } = this.#ways;
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = request(url, {
      agent,
      method,
      headers: { 'user-agent': 'cannery', ...headers },
      signal: this.#signal,
      ...(ca === undefined ? {} : { ca }),
    });
    sent.setTimeout(SILENCE_MS, () => sent.destroy(new NoObject(`${url.host} does not answer.`)));
    sent.once('error', reject);
    sent.once('response', (answer) => {
      // It ends when its reader has left.
      answer.on('error', () => undefined);
      resolve(answer);
    });
    sent.end(body);
    return promise.catch((error: unknown) => {
      const [note] = notes;
      throw error instanceof NoObject || note === undefined ? error : new NoObject(note);
    });
  }

  /** A way to one host: that of the repository as the operator allows it, any other at public addresses only. */
  #agentFor({ host, hostname, port }: URL): Promise<{ agent: Agent; way: WayOut; notes: string[] }> {
    const known = this.#agents.get(host);
    if (known !== undefined) return known;
    if (this.#agents.size >= HOSTS_LIMIT) throw new NoObject('They are at too many hosts.');
    const own = host === this.#repository.host ? this.#ways.hostsOf(this.#repository) : [];
    const other: EgressHost = {
      name: hostname,
      port: port === '' ? HTTPS : Number(port),
      plain: false,
      mayBePrivate: false,
      what: 'host',
    };
    const opening = this.#open(own.length > 0 ? own : [other]);
    this.#agents.set(host, opening);
    return opening;
  }

  async #open(hosts: readonly EgressHost[]): Promise<{ agent: Agent; way: WayOut; notes: string[] }> {
    const notes: string[] = [];
    const way = await this.#ways.proxy.open({
      hosts,
      at: 'loopback',
      limits: { bytes: this.#wireBytes, connections: CONNECTIONS, idleMs: SILENCE_MS },
      onNote: (text) => notes.push(text),
    });
    const agent = new Agent({
      keepAlive: true,
      maxSockets: CONNECTIONS,
      proxyEnv: { https_proxy: way.address },
    });
    return { agent, way, notes };
  }
}

/** Writes an object as it comes. @throws NoObject when it is another than its id and size say */
async function write(path: string, { oid, size }: LfsObject, answer: AsyncIterable<Buffer>): Promise<void> {
  const hash = createHash('sha256');
  let length = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of answer) {
      length += piece.length;
      if (length > size) break;
      hash.update(piece);
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
  if (length !== size || hash.digest('hex') !== oid)
    throw new NoObject('What their host gives out is not what the pointers say.');
}

function causeOf(error: unknown): { readonly cause: string } {
  if (error instanceof NoObject) return { cause: error.message };
  const ofStorage = storageError(error);
  if (ofStorage?.code === 'disk_full') return { cause: ofStorage.message };
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
  return { cause: `Their host cannot be reached (${code.slice(0, 60)}).` };
}
