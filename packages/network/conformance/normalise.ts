import { Principal } from '@icp-sdk/core/principal';
import { FIRST_CANISTER_ORDINAL } from '@cannery/ic/limits';
import { canisterIdOf } from '@cannery/replica/state/canister-id';

/** Lines `run.sh` leaves out: traces of the compiler's run time and chatter of tools. */
const DROPPED = [
  /^Raised by|^Raised at|^Re-raised at|^Re-Raised at|^Called from|^ +at /,
  /note: using the/,
  /^ic_trap$/,
  /PocketIC/,
  // What the server of the suite logs when it refuses a message; the refusal itself follows in the output.
  /^Failed to submit ingress message:/,
];

/** What `run.sh` replaces in each line, in its order. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  // Colours of a terminal.
  [/\p{Cc}\[[0-9;]*[a-zA-Z]/gu, ''],
  [/prelude:[^:]*:/g, 'prelude:___:'],
  [/prim:[^:]*:/g, 'prim:___:'],
  [/wasm `unreachable` instruction executed/g, 'unreachable'],
  [/Ignore Diff:.*/gi, 'Ignore Diff: (ignored)'],
  [/Motoko compiler \(source .*\)/gi, 'Motoko compiler (source XXX)'],
  [/Motoko compiler [^ ]* \(source .*\)/gi, 'Motoko compiler (source XXX)'],
  [/Motoko \(source .*\)/gi, 'Motoko (source XXX)'],
  [/([a-zA-Z0-9.-]*).mo.mangled/g, '$1.mo'],
  [/\[Canister [0-9a-z-]*\]/g, 'debug.print:'],
];

/** After a line like this the suite compares nothing. */
const LAST_LINE = /RTS error: Cannot (grow|allocate) memory/;

/** Brings the output of a run into the form of the suite's expected files, as the function `normalize` of `run.sh`. */
export function normalise(output: string): string {
  const lines: string[] = [];
  for (const raw of output.split('\n')) {
    if (DROPPED.some((pattern) => pattern.test(raw))) continue;
    const line = REPLACED.reduce(
      (text, [pattern, by]) => text.replace(pattern, by),
      raw.replaceAll('\0', ''),
    );
    lines.push(line);
    if (LAST_LINE.test(line)) {
      lines.push('');
      break;
    }
  }
  return lines.join('\n');
}

/** Ordinal of the first canister a canister creates on the system subnet of the suite's network (lxzze-o7777-77777-aaaaa-cai). */
const FIRST_OF_SUITE = 0xffff_ffff_ffe0_0000n;
/** More canisters than any test creates. */
const MOST = 10_000n;
const CANISTER_ID = /\b[a-z0-9]{5}(?:-[a-z0-9]{5}){3}-cai\b/g;

/**
 * Names each canister that was created in the course of a test as the suite's network names it. Which IDs a network
 * hands out is its own affair; the expected output holds those of the other one.
 */
export function suiteNames(output: string): string {
  return output.replaceAll(CANISTER_ID, (text) => {
    const place = ordinalOf(text) - FIRST_CANISTER_ORDINAL;
    if (place < 0n || place >= MOST) return text;
    return Principal.fromUint8Array(canisterIdOf(FIRST_OF_SUITE + place)).toText();
  });
}

function ordinalOf(text: string): bigint {
  try {
    return Buffer.from(Principal.fromText(text).toUint8Array()).readBigUInt64BE();
  } catch {
    return -1n;
  }
}
