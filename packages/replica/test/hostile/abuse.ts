import { wat } from '../../../wasm/test/wasm.ts';
import { CHARGES, SPECIFIED, SPECIFIED_FOR_32_BITS } from '../specified-system-api.ts';
import { type Attack, CONTRACT, INSTRUCTIONS, NO_REPLY, OK, TRAP } from './attack.ts';

interface SystemCall {
  readonly name: string;
  readonly params: readonly string[];
  readonly result: string | undefined;
  /** Whether an update method may call it. */
  readonly inUpdate: boolean;
}

function systemCalls(): SystemCall[] {
  return `${SPECIFIED}\n${SPECIFIED_FOR_32_BITS}`
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, name, params = '', result = '', from = ''] =
        /^(\w+) : \((.*?)\) -> (\S+) +\/\/ (.*)$/.exec(line) ?? [];
      if (name === undefined) return [];
      return {
        name,
        params: params.split(',').flatMap((type) => type.trim().replace('I', 'i32') || []),
        result: result === '()' ? undefined : result.replace('I', 'i32'),
        inUpdate: /\*|\bU\b/.test(from),
      };
    });
}

function calling({ name, params, result }: SystemCall, value: number): Uint8Array {
  const args = params.map((type) => `(${type}.const ${value})`).join(' ');
  return wat(`(module (import "ic0" "msg_reply" (func $answer))
    (import "ic0" "${name}" (func $f (param ${params.join(' ')}) ${result ? `(result ${result})` : ''}))
    (memory 1)
    (func (export "canister_update f") (call $f ${args}) ${result ? 'drop' : ''} (call $answer)))`);
}

/** Functions that pay by the byte pay for four thousand million of them before anything else is looked at. */
const paysByTheByte = (name: string): boolean => new RegExp(`^${name} \\d+ \\+`, 'm').test(CHARGES);

/** Where -1 is a number like any other, or is answered with -1. */
const HARMLESS_BELOW_ZERO: readonly string[] = [
  'stable_grow',
  'stable64_grow',
  'global_timer_set',
  'msg_cycles_accept',
  'debug_print',
];

function endOfNegative({ name, inUpdate }: SystemCall): string {
  if (paysByTheByte(name) || name === 'trap') return INSTRUCTIONS;
  if (!inUpdate) return CONTRACT;
  return HARMLESS_BELOW_ZERO.includes(name) ? OK : CONTRACT;
}

/** Close to the end of the memory: a range of as many bytes leads out of it. */
const NEAR_THE_END = 65_530;
function endOfOverflow({ name, inUpdate }: SystemCall): string {
  if (name === 'trap') return 'IC0503';
  if (/^stable(?:64)?_(?:read|write)$/.test(name)) return TRAP;
  return inUpdate && HARMLESS_BELOW_ZERO.includes(name) ? OK : CONTRACT;
}

const withArguments = systemCalls().filter(({ params }) => params.length > 0);

const pointers: readonly Attack[] = withArguments.flatMap((call): Attack[] => [
  {
    name: `ic0.${call.name} with nothing but -1`,
    by: 'update',
    ends: endOfNegative(call),
    module: () => calling(call, -1),
  },
  {
    name: `ic0.${call.name} with ranges that leave the memory`,
    by: 'update',
    ends: endOfOverflow(call),
    module: () => calling(call, NEAR_THE_END),
  },
]);

const IMPORTS = `
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_reject" (func $reject (param i32 i32)))
  (import "ic0" "debug_print" (func $print (param i32 i32)))
  (import "ic0" "certified_data_set" (func $certify (param i32 i32)))
  (import "ic0" "call_new" (func $new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_data_append" (func $data (param i32 i32)))
  (import "ic0" "call_on_cleanup" (func $cleanup (param i32 i32)))
  (import "ic0" "call_cycles_add128" (func $pay (param i64 i64)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (import "ic0" "stable64_grow" (func $grow (param i64) (result i64)))
  (import "ic0" "stable64_write" (func $write (param i64 i64 i64)))
  (import "ic0" "stable64_size" (func $stable (result i64)))`;
const NEW =
  '(call $new (i32.const 0) (i32.const 10) (i32.const 0) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))';
const FOREVER = (code: string): string => `(loop $l ${code} (br $l))`;

/** An update method with this code and a memory of 4 MiB. */
const method = (name: string, ends: string, code: string, by: Attack['by'] = 'update'): Attack => ({
  name,
  by,
  ends,
  module: () =>
    wat(`(module ${IMPORTS} (memory 64 128) (global $at (mut i64) (i64.const 0))
      (func (export "canister_${by === 'query' ? 'query' : 'update'} f") ${code}))`),
});

const floods: readonly Attack[] = [
  method('a flood of log lines', INSTRUCTIONS, FOREVER('(call $print (i32.const 0) (i32.const 4000))')),
  method('a flood of empty log lines', INSTRUCTIONS, FOREVER('(call $print (i32.const 0) (i32.const 0))')),
  method(
    'a flood of log lines in a query',
    INSTRUCTIONS,
    FOREVER('(call $print (i32.const 0) (i32.const 4000))'),
    'query',
  ),
  method('a flood of calls begun', INSTRUCTIONS, FOREVER(NEW)),
  method('a flood of certified data', INSTRUCTIONS, FOREVER('(call $certify (i32.const 0) (i32.const 32))')),
  method('a flood of questions for the stable size', INSTRUCTIONS, FOREVER('(drop (call $stable))')),
  method(
    'a flood of stable memory',
    INSTRUCTIONS,
    `(drop (call $grow (i64.const 100000)))
     ${FOREVER(`(call $write (global.get $at) (i64.const 0) (i64.const 65536))
       (global.set $at (i64.add (global.get $at) (i64.const 65536)))`)}`,
  ),
  method(
    'a byte in every page of 64 MiB of stable memory',
    TRAP,
    `(drop (call $grow (i64.const 1000)))
     ${FOREVER(`(call $write (global.get $at) (i64.const 0) (i64.const 1))
       (global.set $at (i64.add (global.get $at) (i64.const 4096)))`)}`,
  ),
  method(
    'stable memory grown as long as it grows',
    INSTRUCTIONS,
    FOREVER('(drop (call $grow (i64.const 1)))'),
  ),
  method('heap grown as long as it grows', INSTRUCTIONS, FOREVER('(drop (memory.grow (i32.const 1)))')),
];

const answers: readonly Attack[] = [
  method('a reply of more than 2 MiB', CONTRACT, '(call $append (i32.const 0) (i32.const 2097153))'),
  method(
    'a reply of more than 2 MiB, bit by bit',
    CONTRACT,
    FOREVER('(call $append (i32.const 0) (i32.const 100000))'),
  ),
  method(
    'a query reply of more than 3 MiB',
    INSTRUCTIONS,
    FOREVER('(call $append (i32.const 0) (i32.const 100000))'),
    'query',
  ),
  method('a rejection of more than 2 MiB', CONTRACT, '(call $reject (i32.const 0) (i32.const 2097153))'),
  method(
    'a rejection that is no UTF-8',
    CONTRACT,
    '(i32.store8 (i32.const 0) (i32.const 255)) (call $reject (i32.const 0) (i32.const 1))',
  ),
  method('two replies', CONTRACT, '(call $reply) (call $reply)'),
  method('a reply and a rejection', CONTRACT, '(call $reply) (call $reject (i32.const 0) (i32.const 0))'),
  method('more data after the reply', CONTRACT, '(call $reply) (call $append (i32.const 0) (i32.const 1))'),
  method('no reply', NO_REPLY, ''),
  method('no reply to a query', NO_REPLY, '', 'query'),
  method('certified data of 33 bytes', CONTRACT, '(call $certify (i32.const 0) (i32.const 33))'),
  method('a call that was never begun', CONTRACT, '(drop (call $perform))'),
  method(
    'two cleanup callbacks',
    CONTRACT,
    `${NEW} (call $cleanup (i32.const 0) (i32.const 0)) (call $cleanup (i32.const 0) (i32.const 0))`,
  ),
  method(
    'an argument of more than 10 MiB',
    INSTRUCTIONS,
    `${NEW} ${FOREVER('(call $data (i32.const 0) (i32.const 2000000))')}`,
  ),
  method('a call with all cycles there are', CONTRACT, `${NEW} (call $pay (i64.const -1) (i64.const -1))`),
  method('a call in a query', CONTRACT, NEW, 'query'),
  method(
    'memory beyond its own maximum',
    OK,
    '(if (i32.ne (memory.grow (i32.const 65)) (i32.const -1)) (then unreachable)) (call $reply)',
  ),
  method(
    'memory by a negative amount',
    OK,
    '(if (i32.ne (memory.grow (i32.const -1)) (i32.const -1)) (then unreachable)) (call $reply)',
  ),
  method('a read beyond the memory', TRAP, '(drop (i32.load (i32.const 0x7fffffff)))'),
  method('a write that straddles the end', TRAP, '(i64.store (i32.const 4194297) (i64.const 1))'),
  method(
    'a bulk write beyond the end',
    TRAP,
    '(memory.fill (i32.const 4194300) (i32.const 1) (i32.const 5))',
  ),
  method('a division by zero', TRAP, '(drop (i32.div_u (i32.const 1) (i32.const 0)))'),
];

/** Wrong use of the system API: every function with pointers that lead nowhere, floods, and answers that may not be. */
export const ABUSES: readonly Attack[] = [...pointers, ...floods, ...answers];
