import type { CanisterFigures, MethodFigures, Survey } from '@cannery/replica/messages';
import type { NetworkFigures } from '../figures.ts';
import { principalText } from '../http/identity/authentication.ts';

/** Canisters on a page of the dashboard. */
export const MOST_SHOWN = 50;

/** What the dashboard gets, as JSON. Amounts of cycles are decimal text. */
export interface View {
  readonly subnet: string;
  /** Unix time of the network in milliseconds. */
  readonly nowMillis: number;
  readonly figures: {
    readonly canisters: number;
    readonly stateBytes: number;
    readonly messages: number;
    readonly instructions: number;
    readonly rounds: number;
    readonly consumedCycles: number;
    readonly waitingMessages: number;
    readonly waitingQueues: number;
    readonly heavy: number;
    readonly aheadSeconds: number;
    readonly residentBytes: number;
    readonly isDiskLow: boolean;
  };
  readonly methods: readonly MethodRow[];
  readonly others: Use & { readonly methods: number };
  readonly canisters: {
    readonly from: number;
    readonly total: number;
    readonly rows: readonly CanisterRow[];
  };
}

interface Use {
  readonly calls: number;
  readonly instructions: number;
  readonly cycles: string;
}

type MethodRow = Use & Pick<MethodFigures, 'kind' | 'name'> & { readonly canister: string };

interface CanisterRow extends Pick<CanisterFigures, 'status' | 'memoryBytes' | 'waiting' | 'queries'> {
  readonly id: string;
  /** The first digits of the hash of its module; null where it has none. */
  readonly module: string | null;
  readonly cycles: string;
  readonly consumed: string;
}

/** Characters that would make a name look like another one: controls, and those that turn text around or have no form. */
const UNSEEN = /\p{C}/gu;
const HASH_BYTES = 4;

/** Puts together what is shown. */
export function viewOf(parts: {
  readonly subnet: string;
  readonly nowNanos: bigint;
  readonly figures: NetworkFigures;
  readonly survey: Survey;
  readonly from: number;
  readonly total: number;
}): View {
  const { engine, rounds, process } = parts.figures;
  const { methods, others } = parts.survey.use;
  return {
    subnet: parts.subnet,
    nowMillis: Number(parts.nowNanos / 1_000_000n),
    figures: {
      canisters: engine.canisters,
      stateBytes: engine.stateBytes,
      messages: engine.messages,
      instructions: engine.instructions,
      rounds,
      consumedCycles: engine.consumedCycles,
      waitingMessages: engine.waiting.messages,
      waitingQueues: engine.waiting.queues,
      heavy: engine.heavy,
      aheadSeconds: engine.aheadSeconds,
      residentBytes: process.residentBytes,
      isDiskLow: engine.store.isDiskLow,
    },
    methods: methods.map(({ canister, kind, name, calls, instructions, cycles }) => ({
      canister: principalText(Buffer.from(canister, 'hex')),
      kind,
      name: name.replaceAll(UNSEEN, '\uFFFD'),
      calls,
      instructions,
      cycles: String(cycles),
    })),
    others: { ...others, cycles: String(others.cycles) },
    canisters: { from: parts.from, total: parts.total, rows: parts.survey.canisters.map(rowOf) },
  };
}

function rowOf(canister: CanisterFigures): CanisterRow {
  const { id, status, moduleHash, memoryBytes, cycles, consumedCycles, waiting, queries } = canister;
  return {
    id: principalText(id),
    status,
    module: moduleHash ? Buffer.from(moduleHash.subarray(0, HASH_BYTES)).toString('hex') : null,
    memoryBytes,
    cycles: String(cycles),
    consumed: String(consumedCycles),
    waiting,
    queries,
  };
}
