import { setTimeout as delay } from 'node:timers/promises';
import { CandidError } from '@cannery/candid';
import type { HealthCall } from '@cannery/contract';
import { BuildError } from '../../../builders/build-error.ts';
import { onCandid } from '../../../candid/candid-thread.ts';
import { AppError } from '../../../errors.ts';
import { NetworkGivenUpError } from '../../../ic/agent/patience.ts';
import { EMPTY_ARGUMENT } from '../../canister/code/encode-argument.ts';
import { unpackWasm } from '../../canister/code/unpack-wasm.ts';
import { metadataSection } from '../../canister/code/wasm-sections.ts';
import type { PreparedCanister } from './prepare-canisters.ts';
import type { Publication } from './publish-site.ts';

/** Pause between two tries of a query, in milliseconds. */
const PAUSE_MS = 1000;
/** Characters of a text of the canister that a log shows. */
const SHOWN = 500;

/** A call that is ready to be made once everything is published. */
export interface ReadyHealthCall {
  readonly call: HealthCall;
  readonly canister: string;
  /** The Candid interface; null where the module does not say it. */
  readonly service: string | null;
  readonly isQuery: boolean;
  readonly arg: Uint8Array;
}

/** The call did not answer as it should. */
export class HealthCallError extends BuildError {}

/**
 * Makes a health call ready before anything is changed.
 * @throws BuildError when the project has no such canister, or its new code no such method
 */
export async function readyHealthCall(
  call: HealthCall,
  prepared: readonly PreparedCanister[],
): Promise<ReadyHealthCall> {
  const modules = prepared.filter((one) => one.kind === 'module');
  const wanted = call.canister.trim();
  const module = modules.find(({ name }) => (wanted === '' ? modules.length === 1 : name === wanted));
  if (module === undefined) {
    const names = modules.map(({ name }) => name).join(', ');
    throw impossible(
      wanted === ''
        ? 'it must name one of the canisters with code'
        : `there is no canister ${wanted} with code`,
      modules.length === 0 ? 'The run publishes none.' : `The run publishes: ${names}.`,
    );
  }
  const section = metadataSection(await unpackWasm(module.wasm), 'candid:service');
  const { name: canister } = module;
  if (section === undefined) {
    const isPlain = /^(?:\(\s*\))?$/.test(call.argument.trim()) && call.expected.trim() === '';
    if (!isPlain) throw impossible(`the module of ${canister} does not say its Candid interface`);
    return { call, canister, service: null, isQuery: false, arg: EMPTY_ARGUMENT };
  }
  const service = Buffer.from(section).toString('utf8');
  try {
    const { mode, arg } = await onCandid('prepareCall', service, {
      method: call.method,
      argument: call.argument,
      expected: call.expected,
    });
    return { call, canister, service, isQuery: mode === 'query' || mode === 'composite_query', arg };
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    throw impossible(error.message);
  }
}

function impossible(reason: string, more = ''): BuildError {
  return new BuildError(
    `Nothing was changed, since the health call of the settings cannot be made: ${reason.slice(0, SHOWN)}. ${more}`.trim(),
  );
}

/**
 * Makes the call, as the server's identity. A query, which changes nothing, is made again until it answers as it should or the
 * deadline has passed.
 * @throws HealthCallError, the signal's reason
 */
export async function makeHealthCall(
  { ctx, network, signal, say }: Publication,
  ready: ReadyHealthCall,
  canisterId: string,
): Promise<void> {
  const { call, canister, isQuery, arg } = ready;
  // A network that is away is no fault of the canister.
  const limit = network.limit(call.deadline * 1000);
  const either = AbortSignal.any([signal, limit]);
  const ask = () =>
    isQuery ? ctx.ic.query(canisterId, call.method, arg) : ctx.ic.call(canisterId, call.method, arg);
  let problem = `did not answer within ${call.deadline} s`;
  while (!limit.aborted) {
    try {
      const { text, isExpected } = await readingOf(ready, await until(either, ask()));
      if (isExpected) {
        say(`The health call ${canister}.${call.method} answered${text === '' ? '' : ` ${text}`}.`);
        return;
      }
      problem = `answered ${text}, not ${call.expected.trim().slice(0, SHOWN)}`;
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) break;
      if (!(error instanceof AppError || error instanceof CandidError)) throw error;
      problem = `failed: ${error.message.slice(0, SHOWN)}`;
      if (error instanceof NetworkGivenUpError) break;
    }
    if (!isQuery) break;
    await delay(PAUSE_MS, undefined, { signal: either }).catch(() => signal.throwIfAborted());
  }
  throw new HealthCallError(`The health call ${canister}.${call.method} ${problem}.`);
}

async function readingOf(
  { call, service }: ReadyHealthCall,
  reply: Uint8Array,
): Promise<{ text: string; isExpected: boolean }> {
  if (service === null) return { text: '', isExpected: true };
  const { method, expected } = call;
  const { text, isExpected } = await onCandid('readReply', service, { method, expected, reply });
  return { text: text.slice(0, SHOWN), isExpected };
}

/** Waits no longer than the signal allows; what is left behind ends at a limit of the client. */
async function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
