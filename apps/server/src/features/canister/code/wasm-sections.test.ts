import { expect, test } from 'vitest';
import { exportedFunctions, metadataNames, metadataSection } from './wasm-sections.ts';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

function section(name: string, content: string): number[] {
  const body = [name.length, ...Buffer.from(name), ...Buffer.from(content)];
  return [0, body.length, ...body];
}

test('public and private metadata is found by its exact name', () => {
  const wasm = Uint8Array.from([
    ...HEADER,
    ...section('icp:public candid:service', 'service : {}'),
    ...section('icp:private candid:args', '(nat)'),
  ]);
  const text = (name: string) => {
    const found = metadataSection(wasm, name);
    return found && Buffer.from(found).toString();
  };
  expect(text('candid:service')).toBe('service : {}');
  expect(text('candid:args')).toBe('(nat)');
  expect(text('candid')).toBeUndefined();
});

test('a section that claims more bytes than there are is no metadata', () => {
  const name = Buffer.from('icp:public x');
  const cut = Uint8Array.from([...HEADER, 0, 100, name.length, ...name, 1, 2]);
  expect(metadataSection(cut, 'x')).toBeUndefined();
  const longName = Uint8Array.from([...HEADER, 0, 2, 100, 1, ...section('icp:public x', 'y')]);
  expect(metadataSection(longName, 'x')).toBeUndefined();
});

test('very many sections with very long names are read in a moment', () => {
  const hostile = Buffer.concat([
    Buffer.from(HEADER),
    Buffer.alloc(7 * 100_000, Buffer.from([0, 5, 0xff, 0xff, 0xff, 0xff, 0x0f])),
    Buffer.alloc(10_000_000),
  ]);
  expect(metadataSection(hostile, 'candid:service')).toBeUndefined();
});

test('metadata names and exported functions are listed in their order', () => {
  const exported = (name: string, kind: number) => [name.length, ...Buffer.from(name), kind, 0];
  const body = [3, ...exported('canister_query a', 0), ...exported('memory', 2), ...exported('f', 0)];
  const wasm = Uint8Array.from([
    ...HEADER,
    ...section('icp:public b', ''),
    ...section('name', ''),
    ...section('icp:private a', ''),
    ...section('icp:public b', ''),
    7,
    body.length,
    ...body,
  ]);
  expect(metadataNames(wasm)).toEqual(['b', 'a']);
  expect(exportedFunctions(wasm)).toEqual(['canister_query a', 'f']);
  expect(exportedFunctions(Uint8Array.from([...HEADER, 7, 3, 200, 1, 120]))).toEqual([]);
});

test('a module of nothing but empty sections is read in a moment', () => {
  const hostile = Buffer.concat([Buffer.from(HEADER), Buffer.alloc(50_000_000, Buffer.from([3, 0]))]);
  expect(metadataNames(hostile)).toEqual([]);
  expect(exportedFunctions(hostile)).toEqual([]);
});
