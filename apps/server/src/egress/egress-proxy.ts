import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../log/logger.ts';
import { outsideRequest } from '../log/request-context.ts';
import { egressConnections, egressWays } from '../metrics/instruments.ts';
import type { EgressHost } from './egress-host.ts';
import { type ConnectionResult, defaultEgressLimits, type EgressLimits } from './egress-tunnel.ts';

/** What the server asks of the egress process. */
export type EgressRequest =
  | {
      readonly kind: 'open';
      readonly id: string;
      readonly hosts: readonly EgressHost[];
      readonly limits: EgressLimits;
      readonly at: { readonly socket: string } | { readonly token: string };
    }
  | { readonly kind: 'close'; readonly id: string };

/** What the egress process tells the server. */
export type EgressReport =
  | { readonly kind: 'opened'; readonly id: string; readonly port: number }
  | { readonly kind: 'failed'; readonly id: string; readonly message: string }
  | { readonly kind: 'note'; readonly id: string; readonly text: string }
  /** Connections that were asked for since the last such report. */
  | ({ readonly kind: 'connections' } & Readonly<Record<ConnectionResult, number>>);

interface OpenOptions {
  /** Hosts that may be reached: `gitEgress(ctx.config.egress)` or `packageEgress(...)` of hosts.ts. */
  readonly hosts: readonly EgressHost[];
  /** A socket file for a sandbox, or a port on 127.0.0.1 for a program of the server's own. */
  readonly at: 'socket' | 'loopback';
  readonly limits?: Partial<EgressLimits>;
  /** Gets a sentence for each reason for which a host was refused or could not be reached; at most 20. */
  readonly onNote?: (text: string) => void;
}

/** A way out for one build or one fetch, with a budget of connections and bytes nobody else can use. */
export interface WayOut {
  /** Path of the socket file, or `http://token:@127.0.0.1:port`, to be used as an HTTP proxy. */
  readonly address: string;
  /** Ends every connection. */
  close(): Promise<void>;
}

export interface EgressProxy {
  /** @throws Error when the process cannot be started or the socket cannot be made */
  open(options: OpenOptions): Promise<WayOut>;
  close(): Promise<void>;
}

const entry = fileURLToPath(new URL('./egress-process.ts', import.meta.url));

function countConnections(report: EgressReport & { kind: 'connections' }): void {
  for (const result of ['opened', 'refused', 'failed'] as const)
    if (report[result] > 0) egressConnections.add({ result }, report[result]);
}

interface Pending {
  readonly opened: PromiseWithResolvers<number>;
  readonly onNote: (text: string) => void;
}

/**
 * The product's one way to hosts outside: a process that resolves names itself, refuses what is not on the list or not
 * public, and connects to the very address it checked. The process starts with the first use, and again should it die.
 *
 * A git of the server fetches a public repository like this:
 *
 *     const way = await ctx.egress.open({ hosts: gitEgress(ctx.config.egress), at: 'loopback' });
 *     try {
 *       await runGit(['clone', '--bare', '--', url, folder], { env: { https_proxy: way.address } });
 *     } finally {
 *       await way.close();
 *     }
 */
export function startEgressProxy({ log }: { readonly log: Logger }): EgressProxy {
  const pending = new Map<string, Pending>();
  let child: ChildProcess | undefined;
  let folder: Promise<string> | undefined;

  const lost = (reason: string): void => {
    child = undefined;
    for (const { opened } of pending.values()) opened.reject(new Error(`The egress process ${reason}.`));
    pending.clear();
  };
  const start = (sockets: string): ChildProcess => {
    // Nothing of the server's environment: what it holds is no business of a process that talks to strangers.
    const env = { PATH: process.env.PATH ?? '' };
    const started = fork(entry, [sockets], {
      env,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: true,
    });
    started.stderr?.on('data', (text: Buffer) => log.warn({ part: 'egress' }, String(text).slice(0, 2_000)));
    started.on('message', (report: EgressReport) => {
      if (report.kind === 'connections') return countConnections(report);
      const asked = pending.get(report.id);
      if (report.kind === 'opened') asked?.opened.resolve(report.port);
      else if (report.kind === 'failed') asked?.opened.reject(new Error(report.message));
      else asked?.onNote(report.text);
    });
    started.once('error', (error) => lost(`could not be started: ${error.message}`));
    started.once('exit', (code, signal) => {
      if (child !== started) return;
      log.warn({ code, signal }, 'the egress process has ended; the next use starts it again');
      lost('ended');
    });
    return started;
  };
  const send = (to: ChildProcess, request: EgressRequest): void => {
    to.send(request, (error) => {
      if (error !== null) pending.get(request.id)?.opened.reject(error);
    });
  };

  return {
    async open({ hosts, at, limits, onNote = () => undefined }) {
      const id = randomUUID();
      folder ??= mkdtemp(join(tmpdir(), 'cannery-out-'));
      const sockets = await folder.catch((error: unknown) => {
        // Such as a full disk, which is not full for ever.
        folder = undefined;
        throw error;
      });
      const socket = join(sockets, id);
      // What the process says later is not of the run that happened to need it first.
      child ??= outsideRequest(() => start(sockets));
      const opened = Promise.withResolvers<number>();
      pending.set(id, { opened, onNote });
      const place = at === 'socket' ? { socket } : { token: id };
      try {
        send(child, { kind: 'open', id, hosts, limits: { ...defaultEgressLimits, ...limits }, at: place });
        const port = await opened.promise;
        egressWays.add(1);
        let isOpen = true;
        return {
          address: at === 'socket' ? socket : `http://${id}:@127.0.0.1:${port}`,
          async close() {
            if (isOpen) egressWays.add(-1);
            isOpen = false;
            pending.delete(id);
            if (child !== undefined) send(child, { kind: 'close', id });
            await rm(socket, { force: true });
          },
        };
      } catch (error) {
        pending.delete(id);
        throw error;
      }
    },
    async close() {
      const ending = child;
      child = undefined;
      if (ending !== undefined && ending.exitCode === null && ending.signalCode === null) {
        const ended = new Promise((resolve) => ending.once('exit', resolve));
        ending.kill('SIGKILL');
        await ended;
      }
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
    },
  };
}
