import { describe, expect, test } from 'vitest';
import { CHARGES, SPECIFIED, SPECIFIED_FOR_32_BITS, UNSPECIFIED } from '../../test/specified-system-api.ts';
import { entryPoints } from './entry-point.ts';
import { importFault, SYSTEM_API } from './imports.ts';

interface Row {
  readonly name: string;
  readonly params: readonly string[];
  readonly results: readonly string[];
  readonly from: ReadonlySet<string>;
}

const list = (text: string): string[] => text.split(',').flatMap((item) => item.trim() || []);

function rows(text: string): Row[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [, name = '', params = '', result = '', from = ''] =
        /^(\w+) : \((.*?)\) -> (\S+) +\/\/ (.*)$/.exec(line) ?? [];
      expect(name, line).not.toBe('');
      return {
        name,
        params: list(params),
        results: result === '()' ? [] : [result],
        // `Q` is every plain query.
        from: entryPoints(from.replace(/\bQ\b/, 'RQ NRQ TQ')),
      };
    });
}

const everywhere = [...rows(SPECIFIED), ...rows(UNSPECIFIED)];
const narrow = rows(SPECIFIED_FOR_32_BITS);
const isPointer = (type: string): boolean => type === 'ptr' || type === 'word';

test('the table holds each function once, and no other', () => {
  expect(SYSTEM_API.map(({ name }) => name).toSorted()).toEqual(
    [...everywhere, ...narrow].map(({ name }) => name).toSorted(),
  );
});

describe('each function has the signature, the entry points and the price it is specified with', () => {
  const prices = new Map(
    CHARGES.trim()
      .split('\n')
      .map((line) => {
        const [, name = '', fixed = '', perByte = '1', sizes = ''] =
          /^(\w+) (\d+)(?: \+ (\d+) \* \((.*)\))?$/.exec(line) ?? [];
        expect(name, line).not.toBe('');
        return [name, { fixed: Number(fixed), perByte: Number(perByte), sizes: list(sizes).map(Number) }];
      }),
  );

  test.each([...everywhere, ...narrow].map((row) => [row.name, row] as const))('%s', (name, row) => {
    const actual = SYSTEM_API.find((entry) => entry.name === name);
    if (!actual) throw new Error('not in the table');
    const pointerFree = (type: string): string => (isPointer(type) ? 'I' : type);
    expect(actual.params.map(pointerFree)).toEqual(row.params);
    expect((actual.result ? [actual.result] : []).map(pointerFree)).toEqual(row.results);
    expect([...actual.from].toSorted()).toEqual([...row.from].toSorted());
    expect(actual.memory32Only).toBe(narrow.includes(row));
    const { fixed, perByte, sizes } = prices.get(name) ?? { fixed: 500, perByte: 1, sizes: [] };
    expect({ charge: actual.charge, perByte: actual.perByte, sizes: actual.sizes }).toEqual({
      charge: fixed,
      perByte,
      sizes,
    });
  });
});

describe('imports', () => {
  const typed = (type: string, memory64: boolean): string => {
    if (type !== 'I') return type;
    return memory64 ? 'i64' : 'i32';
  };
  const entry = (
    { name, params, results }: Row,
    memory64: boolean,
  ): Parameters<typeof importFault>[0][0] => ({
    module: 'ic0',
    name,
    params: params.map((type) => typed(type, memory64)),
    results: results.map((type) => typed(type, memory64)),
  });

  test('a module may import everything with pointers of its own width', () => {
    expect(
      importFault(
        [...everywhere, ...narrow].map((row) => entry(row, false)),
        false,
      ),
    ).toBeUndefined();
    expect(
      importFault(
        everywhere.map((row) => entry(row, true)),
        true,
      ),
    ).toBeUndefined();
  });

  test.each(narrow.map((row) => [row.name, row] as const))(
    '%s does not exist with 64-bit memory',
    (name, row) => {
      expect(importFault([entry(row, true)], true)).toContain(`'${name}' from 'ic0' that is not exported`);
    },
  );

  test.each(everywhere.map((row) => [row.name, row] as const))(
    '%s with other types is refused',
    (name, row) => {
      const wrong = entry(row, false);
      const refusal = 'invalid function signature';
      expect(importFault([{ ...wrong, params: [...wrong.params, 'i32'] }], false)).toContain(refusal);
      expect(importFault([{ ...wrong, results: ['f64'] }], false)).toContain(`for '${name}', got [f64]`);
      const other = wrong.params.map((type) => (type === 'i32' ? 'i64' : 'i32'));
      if (other.length > 0) expect(importFault([{ ...wrong, params: other }], false)).toContain(refusal);
    },
  );

  test('what is not there, or comes from elsewhere, is refused', () => {
    const time = { module: 'ic0', name: 'time', params: [], results: ['i64'] };
    expect(importFault([{ ...time, name: 'toString' }], false)).toContain("'toString' from 'ic0'");
    expect(importFault([{ ...time, module: 'env' }], false)).toContain('"time" from "env", expected');
    expect(importFault([{ ...time, name: 'abort', module: 'env' }], false)).toContain("'abort' from 'env'");
  });
});
