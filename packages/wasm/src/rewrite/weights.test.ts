import { describe, expect, test } from 'vitest';
import { SCALAR_WEIGHTS, VECTOR_WEIGHTS, type WeightRow } from '../../test/instruction-weights.ts';
import { run, wat } from '../../test/wasm.ts';
import { WasmInstance } from '../instance/instance.ts';
import { prepareModule } from './prepare.ts';

interface Instruction {
  readonly name: string;
  readonly weight: number;
  readonly operands: readonly string[];
  readonly hasResult: boolean;
}

/** `op:1_2` stands for `op 1 2`. */
function withImmediates(name: string): string {
  const [opcode = '', immediates = ''] = name.split(':');
  return `${opcode} ${immediates.replaceAll('_', ' ')}`.trim();
}

function instructions(rows: readonly WeightRow[], memory64: boolean): Instruction[] {
  return rows.flatMap(({ weight, signature, names }) => {
    const [before = '', after = ''] = signature.split('->');
    const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);
    return words(names).map((name) => ({
      name: withImmediates(name),
      weight: weight === 'memory' ? (memory64 ? 2 : 1) : weight,
      operands: words(before),
      hasResult: words(after).length > 0,
    }));
  });
}

/** One exported function for each instruction. */
function moduleOf(all: readonly Instruction[], memory64: boolean): string {
  const address = memory64 ? 'i64' : 'i32';
  const operand = (type: string): string => {
    if (type === 'v128') return 'v128.const i32x4 1 1 1 1';
    return `${type === 'a' ? address : type}.const 1`;
  };
  const functions = all.map(
    ({ name, operands, hasResult }, position) =>
      `(func (export "${position}") ${operands.map(operand).join(' ')} ${name} ${hasResult ? 'drop' : ''})`,
  );
  return `(module (memory ${memory64 ? 'i64' : ''} 1) ${functions.join('\n')})`;
}

describe.each([
  ['32-bit memory', false],
  ['64-bit memory', true],
])('every instruction weighs what it weighs in the replica, with %s', (_name, memory64) => {
  test.each([
    // All opcodes from 0x28 to 0xc4 but the four constants, eight behind 0xfc, and nop.
    ['scalar', SCALAR_WEIGHTS, 25 + 128 + 8 + 1],
    // All of the vector proposal but v128.const, which is an operand.
    ['vector', VECTOR_WEIGHTS, 235],
  ] as const)('%s', (_kind, rows, count) => {
    const all = instructions(rows, memory64);
    expect(new Set(all.map(({ name }) => name)).size).toBe(count);
    const instance = WasmInstance.create(prepareModule(wat(moduleOf(all, memory64))), { imports: {} });
    // Entry, operands (constants), the instruction and `drop`.
    const expected = all.map(({ name, weight, operands, hasResult }) => [
      name,
      1 + operands.length + weight + (hasResult ? 1 : 0),
    ]);
    const actual = all.map(({ name }, position) => [name, Number(run(instance, String(position)))]);
    expect(actual).toEqual(expected);
  });
});
