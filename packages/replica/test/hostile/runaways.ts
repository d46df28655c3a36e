import { wat } from '../../../wasm/test/wasm.ts';
import { type Attack, type AttackKind, INSTRUCTIONS, OK, TRAP } from './attack.ts';

const LOOP = '(loop $l (br $l))';

/** Where code may be entered: the export, and what enters it. */
const ENTRIES: readonly (readonly [exported: string, by: AttackKind])[] = [
  ['canister_update f', 'update'],
  ['canister_query f', 'query'],
  ['canister_composite_query f', 'query'],
  ['canister_init', 'install'],
  ['canister_pre_upgrade', 'upgrade'],
  ['canister_post_upgrade', 'upgrade'],
  ['canister_inspect_message', 'ingress'],
  ['canister_heartbeat', 'task'],
];

const exporting = (name: string, code: string, rest = ''): Uint8Array =>
  wat(`(module (memory 1) (table 4 funcref) ${rest} (func $f (export "${name}") ${code}))`);

const loops: readonly Attack[] = [
  ...ENTRIES.map(([name, by]) => ({
    name: `an endless loop in ${name}`,
    by,
    ends: INSTRUCTIONS,
    module: () => exporting(name, LOOP),
  })),
  {
    name: 'an endless loop in a query method that is called as an update',
    by: 'update',
    ends: INSTRUCTIONS,
    module: () => exporting('canister_query f', LOOP),
  },
  {
    name: 'an endless loop in the start function',
    by: 'install',
    ends: INSTRUCTIONS,
    module: () => wat(`(module (func $s ${LOOP}) (start $s))`),
  },
  {
    name: 'an endless loop in the global timer',
    by: 'task',
    ends: INSTRUCTIONS,
    module: () =>
      wat(`(module (import "ic0" "global_timer_set" (func $set (param i64) (result i64)))
        (func (export "canister_init") (drop (call $set (i64.const 1))))
        (func (export "canister_global_timer") ${LOOP}))`),
  },
  ...[
    ['that writes', '(loop $l (i32.store (i32.const 8) (i32.const 1)) (br $l))'],
    ['that fills memory', '(loop $l (memory.fill (i32.const 0) (i32.const 1) (i32.const 65536)) (br $l))'],
    ['that copies memory', '(loop $l (memory.copy (i32.const 0) (i32.const 8) (i32.const 65528)) (br $l))'],
    ['that grows memory by nothing', '(loop $l (drop (memory.grow (i32.const 0))) (br $l))'],
    ['through a table of branches', '(loop $l (br_table $l $l $l (i32.const 7)))'],
    ['of nothing but branches', '(loop $l (block $b (br_if $b (i32.const 1))) (br $l))'],
    ['of divisions', '(loop $l (drop (f64.sqrt (f64.div (f64.const 0) (f64.const 0)))) (br $l))'],
    ['of vectors', '(loop $l (drop (f64x2.div (v128.const i64x2 0 0) (v128.const i64x2 0 0))) (br $l))'],
    ['of tail calls', '(return_call $f)'],
    ['of indirect tail calls', '(return_call_indirect (i32.const 0))', '(elem (i32.const 0) $f)'],
  ].map(
    ([what = '', code = '', rest = '']): Attack => ({
      name: `an endless loop ${what}`,
      by: 'update',
      ends: INSTRUCTIONS,
      module: () => exporting('canister_update f', code, rest),
    }),
  ),
];

const recursion: readonly Attack[] = [
  ...ENTRIES.filter(([, by]) => by !== 'task').map(([name, by]) => ({
    name: `endless recursion in ${name}`,
    by,
    ends: TRAP,
    module: () => exporting(name, '(call $f)'),
  })),
  ...[
    ['of two functions', '(call $g)', '(func $g (call $f))'],
    ['through a table', '(call_indirect (i32.const 0))', '(elem (i32.const 0) $f)'],
    ['with many locals', `(call $g)`, `(func $g (local ${'i64 '.repeat(3_000)}) (call $g))`],
    ['with many parameters', many(900), `(func $g (param ${'i32 '.repeat(900)}) ${many(900)})`],
    [
      'with many results',
      '(call $g)',
      `(func $g ${'(call $h) drop drop'} (call $g)) (func $h (result i32 i64) (call $h))`,
    ],
    ['that writes before it goes on', '(i32.store (i32.const 0) (i32.const 1)) (call $f)', ''],
    ['with a large frame', '(call $g)', `(func $g (local ${'v128 '.repeat(20_000)}) (call $g))`],
  ].map(
    ([what = '', code = '', rest = '']): Attack => ({
      name: `endless recursion ${what}`,
      by: 'update',
      ends: TRAP,
      module: () => exporting('canister_update f', code, rest),
    }),
  ),
  {
    name: 'endless recursion in the start function',
    by: 'install',
    ends: TRAP,
    module: () => wat('(module (func $s (call $s)) (start $s))'),
  },
];

function many(parameters: number): string {
  return `(call $g ${'(i32.const 1) '.repeat(parameters)})`;
}

const CALLS = `
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "canister_self_copy" (func $self (param i32 i32 i32)))
  (import "ic0" "call_new" (func $new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_on_cleanup" (func $cleanup (param i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 1) (data (i32.const 100) "ok") (data (i32.const 104) "f")
  (table funcref (elem $on_reply $on_cleanup))
  (func (export "canister_update ok") (call $reply))`;

/** Asks `ok` of itself, with these two callbacks. */
const asking = (onReply: string, onCleanup = ''): Uint8Array =>
  wat(`(module ${CALLS} (func $on_reply (param i32) ${onReply}) (func $on_cleanup (param i32) ${onCleanup})
    (func (export "canister_update f")
      (call $self (i32.const 0) (i32.const 0) (i32.const 10))
      (call $new (i32.const 0) (i32.const 10) (i32.const 100) (i32.const 2)
        (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
      (call $cleanup (i32.const 1) (i32.const 0))
      (drop (call $perform))))`);

const callbacks: readonly Attack[] = [
  {
    name: 'an endless loop in a reply callback',
    by: 'update',
    ends: INSTRUCTIONS,
    module: () => asking(LOOP),
  },
  {
    name: 'an endless loop in a cleanup callback',
    by: 'update',
    ends: TRAP,
    module: () => asking('unreachable', LOOP),
  },
  {
    name: 'endless recursion in a reply callback',
    by: 'update',
    ends: TRAP,
    module: () => asking('(call $on_reply (i32.const 0))'),
  },
  {
    name: 'as many calls to itself as it can make',
    by: 'update',
    ends: OK,
    module: () =>
      wat(`(module ${CALLS} (func $on_reply (param i32)) (func $on_cleanup (param i32))
        (func (export "canister_update f") (local $i i32)
          (call $self (i32.const 0) (i32.const 0) (i32.const 10))
          (loop $l
            (call $new (i32.const 0) (i32.const 10) (i32.const 100) (i32.const 2)
              (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
            (drop (call $perform))
            (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 5000))))
          (call $reply)))`),
  },
];

/** Calls itself twice in every call, for ever: it ends only when it is stopped. */
export const SELF_CALL_BOMB: Attack = {
  name: 'calls to itself that double',
  by: 'update',
  ends: OK,
  module: () =>
    wat(`(module ${CALLS} (func $on_reply (param i32)) (func $on_cleanup (param i32))
      (func $again
        (call $new (i32.const 0) (i32.const 10) (i32.const 104) (i32.const 1)
          (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
        (drop (call $perform)))
      (func (export "canister_update f")
        (call $self (i32.const 0) (i32.const 0) (i32.const 10))
        (call $again) (call $again) (call $reply)))`),
};

/** Code that does not end by itself. */
export const RUNAWAYS: readonly Attack[] = [...loops, ...recursion, ...callbacks];
