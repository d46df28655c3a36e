import { Account } from '../../src/cycles/account.ts';
import { FEE_SCHEDULES } from '../../src/cycles/fee-schedule.ts';
import { Fees } from '../../src/cycles/fees.ts';
import { LoadedCode } from '../../src/execution/run/loaded-code.ts';
import { StableMemory } from '../../src/state/stable-memory.ts';
import type { EntryPoint } from '../../src/system-api/entry-point.ts';
import { type MessageContext, messageContext } from '../../src/system-api/message-context.ts';
import { compileModule, prepareModule } from '@cannery/wasm/rewrite/prepare';
import { bareCanister } from './bare-canister.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const CYCLES = 10n ** 15n;
const FEES = new Fees(FEE_SCHEDULES['docs-2026-08']);

/** A message that is wherever `entry` says, with something to read wherever a canister may read. */
export function contextOf(
  entry: EntryPoint,
  { certified = false, instructionLimit = 10_000_000n } = {},
): MessageContext {
  const canister = bareCanister(CYCLES);
  return messageContext({
    entry,
    subnet: { subnetId: new Uint8Array(29).fill(7), rootKeyDer: new Uint8Array(133).fill(8) },
    canister: canister.record,
    account: new Account(FEES, canister, 10n ** 9n),
    balance: CYCLES,
    timeNanos: 1n,
    instructionLimit,
    caller: Uint8Array.of(4),
    arg: new Uint8Array(100),
    method: 'method',
    rejectCode: 4,
    rejectMessage: 'no',
    cyclesAvailable: 10n ** 12n,
    canRespond: true,
    maxReplyBytes: 2 * 1024 * 1024,
    certificate: certified
      ? {
          allowed: true,
          value: { certificate: new Uint8Array(60), certifiedData: canister.record.certifiedData },
        }
      : { allowed: false },
  });
}

/** Code in text format, ready for `run`, with a stable memory of this many Wasm pages. */
export function enteredCode(source: string, stablePages = 0): LoadedCode {
  const prepared = prepareModule(wat(source));
  const stable = new StableMemory(stablePages, (_first, count) => new Uint8Array(count * 4_096));
  return LoadedCode.create(Uint8Array.of(1), { prepared, module: compileModule(prepared) }, stable);
}
