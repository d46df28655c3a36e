import type { Controls, NetworkView } from './controls.ts';
import type { NetworkFigures } from './figures.ts';

export type { NetworkView } from './controls.ts';
export type { NetworkFigures } from './figures.ts';

/** The program of the command line, for who runs a network in a separate process. */
export const program = new URL('./cli.ts', import.meta.url);

/**
 * The environment of the process that runs it. glibc goes about buffers in its own way there, whatever its starter wants for itself: to
 * map those of large pages takes a quarter of the throughput (decision 0094).
 */
export function programEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, MALLOC_MMAP_THRESHOLD_: undefined };
}

/** Names of sites, sent to the process that runs the network over the channel from its parent. */
interface SiteNamesMessage {
  readonly siteNames: readonly (readonly [name: string, canisterId: string])[];
}

/** What to send to the process for names of sites, see `LocalNetwork.nameSites`. */
export function siteNamesMessage(names: ReadonlyMap<string, string>): SiteNamesMessage {
  return { siteNames: [...names] };
}

/** Hears the names of sites that the parent sends. They keep the process from nothing, least of all from its end. */
export function onSiteNames(hear: (names: ReadonlyMap<string, string>) => void): void {
  process.on('message', ({ siteNames }: Partial<SiteNamesMessage>) => {
    if (siteNames) hear(new Map(siteNames));
  });
  process.channel?.unref();
}

/** Asks the process how it is doing; it answers with `FiguresMessage` of the same number. */
export interface AskForFigures {
  readonly askForFigures: number;
}

/** Figures, or why there are none. */
export type FiguresMessage =
  | { readonly figures: number; readonly values: NetworkFigures }
  | { readonly figures: number; readonly failed: string };

/** Answers the parent that asks how this process is doing. */
export function onAskForFigures(figures: () => Promise<NetworkFigures>): void {
  const answer = (message: FiguresMessage): void => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
  process.on('message', ({ askForFigures: id }: Partial<AskForFigures>) => {
    if (id === undefined) return;
    figures().then(
      (values) => answer({ figures: id, values }),
      (error: unknown) =>
        answer({ figures: id, failed: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.channel?.unref();
}

/** What the parent asks for: how the network is, and before that a change of it where one is named. */
export interface AskNetwork {
  readonly askNetwork: number;
  /** Nanoseconds by which time goes ahead, decimal. */
  readonly advance?: string;
  /** Whether canisters may make HTTP requests from now on. */
  readonly outcalls?: boolean;
}

/** Asks by how much time was set ahead; an `AheadMessage` answers. */
export interface AskAhead {
  readonly askAhead: true;
}

/** How the network is since, or why it did not do what it was asked; `isForbidden`: others can reach it. */
export type NetworkMessage =
  | { readonly network: number; readonly view: NetworkView }
  | { readonly network: number; readonly failed: string; readonly isForbidden: boolean };

/** Does what the parent asks. */
export function onAskNetwork(controls: Controls): void {
  const answer = (message: NetworkMessage): void => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
  const carryOut = async ({ advance, outcalls }: Partial<AskNetwork>): Promise<NetworkView> => {
    if (advance !== undefined) await controls.advance(BigInt(advance));
    if (outcalls !== undefined) await controls.switchOutcalls(outcalls);
    return controls.view();
  };
  process.on('message', (message: Partial<AskNetwork & AskAhead>) => {
    const { askNetwork: id, askAhead } = message;
    if (askAhead)
      process.send?.(
        { aheadMs: controls.aheadMs } satisfies AheadMessage,
        undefined,
        undefined,
        () => undefined,
      );
    if (id === undefined) return;
    const isChange = message.advance !== undefined || message.outcalls !== undefined;
    carryOut(message).then(
      (view) => answer({ network: id, view }),
      (error: unknown) => {
        const failed = error instanceof Error ? error.message : String(error);
        answer({ network: id, failed, isForbidden: isChange && !controls.isControlled });
      },
    );
  });
  process.channel?.unref();
}

/** Tells the parent by how many milliseconds time was set ahead. */
export interface AheadMessage {
  readonly aheadMs: number;
}

/** Sent to the process that started this one, over the channel between them. */
export const HEARTBEAT = 'alive';
/** How often, in milliseconds. */
export const HEARTBEAT_MILLIS = 1_000;

/**
 * Tells the parent, if there is a channel to it, that the main thread of this process still takes its turns, and how far time was
 * set ahead meanwhile.
 */
export function sendHeartbeats(controls: Pick<Controls, 'aheadMs'>): void {
  let told = 0;
  const timer = setInterval(() => {
    // The channel may close at any time; that the parent is gone is found out otherwise.
    if (!process.connected) return;
    process.send?.(HEARTBEAT, undefined, undefined, () => undefined);
    const { aheadMs } = controls;
    if (aheadMs === told) return;
    told = aheadMs;
    process.send?.({ aheadMs } satisfies AheadMessage, undefined, undefined, () => undefined);
  }, HEARTBEAT_MILLIS);
  timer.unref();
}
