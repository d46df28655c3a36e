/**
 * Kills a network with SIGKILL again and again while eight clients send updates, starts it on what is left, and
 * checks that every answered update is there once and nothing in part.
 *
 *     node packages/network/crash/kill-nine.ts [--kills 300] [--state-mib 2048] [--seed 1]
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NetworkProcess } from '../test/network-process.ts';
import { Audit, type Fault, type Finding } from './audit.ts';
import type { Client } from './clients.ts';
import { CallRefusedError } from './lean-call.ts';
import { clientsOf, createScene, type Scene } from './scene.ts';
import { seededRandom } from './seeded-random.ts';

export interface CrashOptions {
  readonly kills: number;
  readonly stateMiB: number;
  readonly seed: number;
  /** Told how far the run is. */
  readonly onProgress?: (line: string) => void;
}

export interface CrashReport {
  readonly kills: Readonly<Record<KillMoment, number>>;
  /** Updates answered to each client. */
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  readonly ticks: bigint;
  /** Milliseconds from starting the process to its being ready, of each start after a kill. */
  readonly readyMs: readonly number[];
}

/** When a kill comes: before the network is ready, under load, or under load while a checkpoint is written. */
export type KillMoment = 'start' | 'load' | 'checkpoint';

const START_SHARE = 0.2;
const CHECKPOINT_SHARE = 0.3;
const LONGEST_START_MS = 900;
const LONGEST_LOAD_MS = 1_500;
const LONGEST_IN_CHECKPOINT_MS = 300;
const CHECKPOINT_PATIENCE_MS = 6_000;
const POLL_MS = 5;
/** How often a client may fail to settle its last update with nothing to disturb it. */
const MOST_TRIES = 20;

class CrashRun {
  readonly #options: CrashOptions;
  readonly #dataDir: string;
  readonly #random: () => number;
  readonly #kills: Record<KillMoment, number> = { start: 0, load: 0, checkpoint: 0 };
  readonly #findings: Finding[] = [];
  readonly #readyMs: number[] = [];
  #ticks = 0n;
  #network: NetworkProcess;
  /** Clients keep their address over restarts. */
  #port = 0;

  constructor(options: CrashOptions, dataDir: string) {
    this.#options = options;
    this.#dataDir = dataDir;
    this.#random = seededRandom(options.seed);
    this.#network = this.#spawn();
  }

  async run(): Promise<CrashReport> {
    try {
      const url = await this.#ready();
      this.#port = Number(new URL(url).port);
      const scene = await createScene(url, this.#options.stateMiB);
      for (let done = 0; done < this.#options.kills; done += 1) await this.#killOnce(scene, done);
      await this.#settle(scene);
      await this.#network.end('SIGTERM');
      this.#network = this.#spawn();
      await this.#check(await this.#ready(), scene, scene.fillers);
      return {
        kills: this.#kills,
        acknowledged: Object.fromEntries(clientsOf(scene).map((each) => [each.name, each.acknowledged])),
        findings: this.#findings,
        ticks: this.#ticks,
        readyMs: this.#readyMs,
      };
    } finally {
      await this.#network.end('SIGKILL');
    }
  }

  #spawn(): NetworkProcess {
    return new NetworkProcess(this.#dataDir, { port: this.#port, args: ['--fees', 'free'] });
  }

  async #ready(): Promise<string> {
    const url = await this.#network.ready;
    if (url === undefined) throw new Error(`The network did not start: ${this.#network.errors}`);
    return url;
  }

  async #killOnce(scene: Scene, done: number): Promise<void> {
    const moment = await this.#dieUnderLoad(scene);
    this.#kills[moment] += 1;
    this.#network = this.#spawn();
    if (done + 1 < this.#options.kills && this.#random() < START_SHARE) {
      await sleep(this.#random() * LONGEST_START_MS);
      await this.#network.end('SIGKILL');
      this.#kills.start += 1;
      this.#network = this.#spawn();
    }
    const start = performance.now();
    const url = await this.#ready();
    this.#readyMs.push(performance.now() - start);
    const { fillers } = scene;
    await this.#check(url, scene, fillers.slice(done % (fillers.length || 1)).slice(0, 1));
    const kills = this.#kills.start + this.#kills.load + this.#kills.checkpoint;
    this.#options.onProgress?.(
      `kill ${kills} (${moment}), ready after ${this.#readyMs.at(-1)?.toFixed(0)} ms, findings ${this.#findings.length}`,
    );
  }

  /** Runs all clients until the kill. */
  async #dieUnderLoad(scene: Scene): Promise<KillMoment> {
    const url = `http://127.0.0.1:${this.#port}`;
    const stop = new AbortController();
    const working = Promise.all(clientsOf(scene).map((client) => this.#work(client, url, stop.signal)));
    await sleep(this.#random() * LONGEST_LOAD_MS);
    let moment: KillMoment = 'load';
    if (this.#random() < CHECKPOINT_SHARE && (await this.#checkpointBegun())) {
      await sleep(this.#random() * LONGEST_IN_CHECKPOINT_MS);
      moment = 'checkpoint';
    }
    stop.abort();
    await this.#network.end('SIGKILL');
    await working;
    return moment;
  }

  async #work(client: Client, url: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await client.step(url);
      } catch (error) {
        if (!signal.aborted) this.#refused(client, error);
        if (!signal.aborted) await sleep(POLL_MS);
      }
    }
  }

  /** A call that is refused although it must not be is a lost update. */
  #refused(client: Client, error: unknown): void {
    if (error instanceof CallRefusedError)
      this.#findings.push({ fault: 'lost', what: `${client.name}: ${error.message}` });
  }

  /** A second log is there only while a checkpoint is written. */
  async #checkpointBegun(): Promise<boolean> {
    const end = performance.now() + CHECKPOINT_PATIENCE_MS;
    while (performance.now() < end) {
      if (readdirSync(join(this.#dataDir, 'log')).filter((name) => name.endsWith('.log')).length > 1)
        return true;
      await sleep(POLL_MS);
    }
    return false;
  }

  /** Lets every client get an answer to what it has under way. */
  async #settle(scene: Scene): Promise<void> {
    const url = `http://127.0.0.1:${this.#port}`;
    for (const client of clientsOf(scene)) {
      let last: unknown;
      for (let tries = 0; client.isUncertain && tries < MOST_TRIES; tries += 1) {
        await client.step(url).catch((error: unknown) => {
          last = error;
          this.#refused(client, error);
        });
      }
      if (client.isUncertain)
        this.#findings.push({ fault: 'lost', what: `${client.name}: no answer ever came: ${String(last)}` });
    }
  }

  async #check(url: string, scene: Scene, fillers: Scene['fillers']): Promise<void> {
    const { findings, ticks } = await Audit.run(url, scene, fillers);
    this.#findings.push(...findings);
    if (ticks < this.#ticks) this.#findings.push({ fault: 'lost', what: `timer went back to ${ticks}` });
    this.#ticks = ticks;
  }
}

/** Runs in a temporary folder, which is kept when something was found. */
export async function killNine(options: CrashOptions): Promise<CrashReport & { readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-kill-nine-'));
  const report = await new CrashRun(options, folder).run();
  if (report.findings.length === 0) rmSync(folder, { recursive: true });
  return { ...report, folder };
}

function print(report: CrashReport & { readonly folder: string }): void {
  const { kills, acknowledged, findings, readyMs, ticks } = report;
  const ready = readyMs.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${(ready[Math.floor((ready.length - 1) * share)] ?? 0).toFixed(0)} ms`;
  const count = (fault: Fault): number => findings.filter((each) => each.fault === fault).length;
  const rows: [string, string | number | bigint][] = [
    ['kills during a start', kills.start],
    ['kills under load', kills.load],
    ['kills during a checkpoint', kills.checkpoint],
    ...Object.entries(acknowledged).map(([name, number]): [string, number] => [`answered: ${name}`, number]),
    ['timer ticks', ticks],
    ['lost', count('lost')],
    ['doubled', count('doubled')],
    ['torn', count('torn')],
    ['ready, median', at(0.5)],
    ['ready, 99 of 100', at(0.99)],
    ['ready, longest', at(1)],
  ];
  for (const [what, value] of rows) console.log(`${what.padEnd(34)}${value}`);
  for (const { fault, what } of findings.slice(0, 20)) console.log(`${fault}: ${what}`);
  if (findings.length > 0) console.log(`The data folder is kept: ${report.folder}`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '300' },
      'state-mib': { type: 'string', default: '2048' },
      seed: { type: 'string', default: '1' },
    },
  });
  const report = await killNine({
    kills: Number(values.kills),
    stateMiB: Number(values['state-mib']),
    seed: Number(values.seed),
    onProgress: (line) => console.log(line),
  });
  print(report);
  process.exit(report.findings.length === 0 ? 0 : 1);
}
