import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApi, type Product, startProduct } from '@cannery/dev-env';
import { putEmptyDatabase } from '../test/support/empty-database.ts';
import { AnswerCheck } from './check-answer.ts';
import { type Draft, draftOf, type Whose } from './draft.ts';
import { type OpenApiDocument, type Operation, operationsOf } from './operations.ts';
import { Random } from './random.ts';
import { Resident } from './resident.ts';
import { ValueSource } from './schema-values.ts';
import { Connection } from './send.ts';
import { spoilings } from './spoil.ts';
import { slopeOf } from '../crash/held-by.ts';
import { ProductWatch, type Sample } from './watch-product.ts';

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** Requests under way at the same time, each on a connection that is kept. */
  readonly connections: number;
  /** After this no request is begun any more, in minutes, but for the fewest. */
  readonly minutes: number;
  /** Requests that are sent however long they take. */
  readonly fewest: number;
  /** How long builds that were started may go on before the first and behind the last request, in seconds. */
  readonly settlingSeconds: number;
  /** Told how far the run is. */
  readonly onProgress?: (line: string) => void;
}

/** What a run has found out. */
export interface FuzzReport {
  readonly requests: number;
  readonly operations: number;
  readonly elapsedMs: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byWay: Readonly<Record<string, number>>;
  /** Bodies that the service has refused before they were sent. */
  readonly cut: number;
  /** Operations that have never answered with success. */
  readonly neverSucceeded: readonly string[];
  /** MiB for ten thousand requests, over the second half. */
  readonly slopes: { readonly server: number; readonly network: number };
  readonly first: Sample;
  readonly last: Sample;
  /** What was wrong, each with a request of it, by how often. */
  readonly findings: readonly string[];
}

const USERS = ['ada', 'eve'] as const;
const PROJECT = fileURLToPath(new URL('../../../examples/motoko-counter', import.meta.url));
/** Requests after which the users make again what is gone. */
const FURNISH_EVERY = 1500;
/** Time between two looks at the product, in milliseconds. */
const SAMPLE_MS = 2000;
/** Different findings that are shown; each more is counted. */
const MOST_FINDINGS = 60;

/** Whose session a request has. */
const callers: readonly { readonly weight: number; readonly token: (one: Resident) => string | undefined }[] =
  [
    { weight: 84, token: ({ token }) => token },
    { weight: 5, token: ({ apiToken }) => apiToken },
    { weight: 3, token: () => undefined },
    { weight: 2, token: ({ gitToken }) => gitToken },
    { weight: 1, token: () => 'x'.repeat(43) },
    { weight: 1, token: ({ token }) => token.slice(0, -1) },
    { weight: 0.5, token: () => 'ü' },
    { weight: 0.5, token: () => '' },
  ];

const named: readonly { readonly weight: number; readonly whose: Whose }[] = [
  { weight: 80, whose: 'own' },
  { weight: 12, whose: 'others' },
  { weight: 8, whose: 'absent' },
];

/** Of the log of the product, what is shown beside a finding: lines, and characters of each. */
const LOG_LINES = 4;
const LOG_LENGTH = 1_000;

/** Settings under which a client may send as fast as it can, and everything that the server would rather say is written. */
const settings = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT: '100000',
  SIGN_IN_LIMIT: '100000',
  OPENING_BALANCE_T: '1000000',
  SITE_PICTURES: 'off',
  RUST_TOOLCHAIN: 'off',
  NODE_OPTIONS: '--trace-warnings',
};

class FuzzRun {
  readonly #options: FuzzOptions;
  readonly #product: Product;
  readonly #operations: readonly Operation[];
  readonly #check: AnswerCheck;
  readonly #residents: readonly Resident[];
  readonly #watch: ProductWatch;
  readonly #byStatus: Record<string, number> = {};
  readonly #byWay: Record<string, number> = {};
  readonly #findings = new Map<string, { times: number; example: string }>();
  readonly #succeeded = new Set<string>();
  #begun = 0;
  #cut = 0;
  #isQuiet = false;

  private constructor(
    options: FuzzOptions,
    product: Product,
    parts: {
      operations: readonly Operation[];
      check: AnswerCheck;
      residents: readonly Resident[];
      watch: ProductWatch;
    },
  ) {
    this.#options = options;
    this.#product = product;
    this.#operations = parts.operations;
    this.#check = parts.check;
    this.#residents = parts.residents;
    this.#watch = parts.watch;
  }

  static async open(options: FuzzOptions, product: Product, temporary: string): Promise<FuzzRun> {
    const { body } = await createApi(product.url, '').request('GET', '/openapi.json');
    const document = body as OpenApiDocument;
    const operations = operationsOf(document);
    const residents: Resident[] = [];
    for (const name of USERS) residents.push(await Resident.enter(product.url, name, PROJECT));
    const check = new AnswerCheck(document, operations);
    return new FuzzRun(options, product, {
      operations,
      check,
      residents,
      watch: new ProductWatch(product, temporary),
    });
  }

  async run(): Promise<FuzzReport> {
    const { connections, minutes, requests, fewest, onProgress } = this.#options;
    const start = performance.now();
    const first = await this.#quiet();
    const until = performance.now() + minutes * 60_000;
    const timer = setInterval(() => {
      const { server, network } = this.#watch.take(this.#begun);
      const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
      onProgress?.(
        `${this.#begun} requests, server ${mib(server.memory)} ${server.descriptors} descriptors, network ${mib(network.memory)}`,
      );
    }, SAMPLE_MS);
    const work = async (index: number): Promise<void> => {
      const hand = new Hand(this.#options.seed + index * 1000, this.#residents);
      const connection = new Connection(`${this.#product.url}/api`);
      while (this.#begun < requests && (this.#begun < fewest || performance.now() < until)) {
        this.#begun += 1;
        if (this.#begun % FURNISH_EVERY === 0)
          for (const resident of this.#residents) await resident.furnish();
        await this.#one(hand, connection);
      }
      connection.close();
    };
    try {
      await Promise.all(Array.from({ length: connections }, (_, index) => work(index)));
    } finally {
      clearInterval(timer);
    }
    const elapsedMs = performance.now() - start;
    const last = await this.#quiet();
    await this.#lookAtTheEnd(first, last);
    return this.#report(elapsedMs, first, last);
  }

  async #one(hand: Hand, connection: Connection): Promise<void> {
    const { draft, way, caller, token } = hand.next(this.#operations);
    this.#byWay[way] = (this.#byWay[way] ?? 0) + 1;
    try {
      const answer = await connection.send(draft, token === undefined ? undefined : `Bearer ${token}`);
      if (answer === 'cut') {
        this.#cut += 1;
        return;
      }
      const { status } = answer;
      this.#byStatus[status] = (this.#byStatus[status] ?? 0) + 1;
      if (status === 200 && draft.method === draft.operation.method) this.#succeeded.add(draft.operation.id);
      const problem = this.#check.problemOf(draft, answer);
      if (problem !== undefined) this.#note(`${draft.operation.id}: ${problem}`, draft);
      if (status === 401 && token === caller.token) await caller.renew(token);
    } catch (error) {
      this.#note(`${draft.operation.id}: ${error instanceof Error ? error.message : String(error)}`, draft);
    }
  }

  #note(problem: string, draft?: Draft): void {
    // Ids and numbers differ from request to request.
    const kind = problem.replaceAll(/[0-9a-f-]{8,}|\d{2,}/g, '#').slice(0, 120);
    const known = this.#findings.get(kind);
    if (known !== undefined) {
      known.times += 1;
      return;
    }
    const example = `${problem}\n    ${draft === undefined ? '' : shown(draft)}`;
    this.#findings.set(kind, { times: 1, example });
    this.#options.onProgress?.(`FOUND ${example}`);
    // What the product has written by then, for who looks for the cause.
    for (const line of this.#product.output().trimEnd().split('\n').slice(-LOG_LINES))
      this.#options.onProgress?.(`    log: ${line.slice(0, LOG_LENGTH)}`);
  }

  /** What is held when nothing is under way, or when that takes too long. */
  async #quiet(): Promise<Sample> {
    const deadline = performance.now() + this.#options.settlingSeconds * 1000;
    while (performance.now() < deadline) {
      await sleep(1000);
      const open = await Promise.all(this.#residents.map((one) => one.openRuns()));
      this.#isQuiet = open.every((runs) => runs === 0);
      if (this.#isQuiet) break;
    }
    await sleep(1500);
    return this.#watch.take(this.#begun);
  }

  async #lookAtTheEnd(first: Sample, last: Sample): Promise<void> {
    for (const line of this.#product.output().split('\n'))
      if (isComplaint(line)) this.#note(`log: ${line.slice(0, 600)}`);
    const { status } = await createApi(this.#product.url, '').request('GET', '/health');
    if (status !== 200) this.#note(`at the end /health answers ${status}`);
    const { server: slope } = this.#slopes();
    if (this.#begun >= FEWEST_FOR_A_SLOPE && slope > MOST_SLOPE_MIB)
      this.#note(`the memory of the server grows by ${slope.toFixed(1)} MiB for ten thousand requests`);
    if (!this.#isQuiet) return;
    for (const program of ['server', 'network'] as const) {
      const more = last[program].descriptors - first[program].descriptors;
      if (more > MOST_MORE_DESCRIPTORS) this.#note(`the ${program} keeps ${more} more descriptors`);
    }
    const files = last.temporary - first.temporary;
    if (files > MOST_MORE_FILES) this.#note(`${files} temporary files are left`);
  }

  /** MiB for ten thousand requests, by the second half of the run. */
  #slopes(): FuzzReport['slopes'] {
    const second = this.#watch.samples.filter(({ requests }) => requests >= this.#begun / 2);
    const slope = (program: 'server' | 'network'): number =>
      slopeOf(second.map((sample) => [sample.requests / 10_000, sample[program].memory / MIB]));
    return { server: slope('server'), network: slope('network') };
  }

  #report(elapsedMs: number, first: Sample, last: Sample): FuzzReport {
    const shownFindings = [...this.#findings.values()]
      .toSorted((one, other) => other.times - one.times)
      .slice(0, MOST_FINDINGS);
    return {
      requests: this.#begun,
      operations: this.#operations.length,
      elapsedMs,
      byStatus: this.#byStatus,
      byWay: this.#byWay,
      cut: this.#cut,
      neverSucceeded: this.#operations.map(({ id }) => id).filter((id) => !this.#succeeded.has(id)),
      slopes: this.#slopes(),
      first,
      last,
      findings: shownFindings.map(({ times, example }) => `${times} x ${example}`),
    };
  }
}

/** Fewer requests tell of warming up only. What users have grows with the requests as well, some of it in memory. */
const FEWEST_FOR_A_SLOPE = 20_000;
const MOST_SLOPE_MIB = 15;
const MIB = 1024 * 1024;
/** The process that filters ways out has a folder for its socket, once a build has needed it. */
const MOST_MORE_FILES = 2;
/** Connections of the pool to the database, and to the network, that are opened when they are needed and kept. */
const MOST_MORE_DESCRIPTORS = 60;

/** A line of the log that says something is wrong: of level 40 (warning) or more, or of Node itself. */
function isComplaint(line: string): boolean {
  if (/Warning:|Unhandled|uncaught|^\s+at /i.test(line)) return true;
  const level = /^\{"level":(\d+)/.exec(line)?.[1];
  return level !== undefined && Number(level) >= 40;
}

function shown({ method, path, query, headers, fields, body }: Draft): string {
  const rest =
    body === undefined ? JSON.stringify(fields) : `${body.length} bytes ${body.toString('latin1')}`;
  return `${method} ${path} ${JSON.stringify(query)} ${JSON.stringify(headers)} ${rest ?? ''}`.slice(0, 700);
}

/** One of the clients: makes requests. */
class Hand {
  readonly #random: Random;
  readonly #values: ValueSource;
  readonly #residents: readonly Resident[];

  constructor(seed: number, residents: readonly Resident[]) {
    this.#random = new Random(seed);
    this.#values = new ValueSource(seed);
    this.#residents = residents;
  }

  next(operations: readonly Operation[]): {
    draft: Draft;
    way: string;
    caller: Resident;
    token: string | undefined;
  } {
    const random = this.#random;
    const caller = random.of(this.#residents);
    const others = this.#residents.filter((one) => one !== caller);
    const material = { random, values: this.#values, caller, others };
    const draft = draftOf(random.weighted(operations), random.weighted(named).whose, material);
    const way = random.weighted(spoilings);
    way.spoil(draft, random);
    return { draft, way: way.name, caller, token: random.weighted(callers).token(caller) };
  }
}

/** Starts the product, sends it requests made from its OpenAPI document, and says what was wrong. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-fuzz-'));
  const [dataDir, temporary] = [join(folder, 'data'), join(folder, 'tmp')];
  mkdirSync(dataDir, { mode: 0o700 });
  mkdirSync(temporary);
  putEmptyDatabase(dataDir);
  const product = await startProduct({ dataDir, env: { ...settings, TMPDIR: temporary } });
  try {
    return await (await FuzzRun.open(options, product, temporary)).run();
  } finally {
    await product.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}
