import { expect, test } from 'vitest';
import { wat } from '../../test/wasm.ts';
import { prepareModule } from '../rewrite/prepare.ts';
import { shrinkModule, withCustomSection } from './custom-sections.ts';
import { InvalidModuleError } from './reader.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const plain = wat('(module (func (export "canister_query read")))');

test('names and debugging information go, code and metadata stay as they are', () => {
  const metadata = withCustomSection(plain, 'icp:public candid:service', text('service : {}'));
  const noisy = withCustomSection(withCustomSection(metadata, 'name', text('x')), '.debug_info', text('y'));
  expect(shrinkModule(noisy)).toEqual(metadata);
  expect(shrinkModule(noisy, { without: ['icp:public candid:service'] })).toEqual(plain);
  expect(prepareModule(shrinkModule(noisy)).metadata).toEqual([
    { name: 'candid:service', visibility: 'public', content: text('service : {}') },
  ]);
});

test('a module that ends within a section is refused', () => {
  const cut = withCustomSection(plain, 'name', new Uint8Array(50)).subarray(0, -1);
  expect(() => shrinkModule(cut)).toThrow(InvalidModuleError);
});

test('the work grows with the number of sections only', () => {
  const many = (count: number): Uint8Array => {
    const section = withCustomSection(new Uint8Array(0), 'a', new Uint8Array(4));
    return Buffer.concat([plain, ...Array.from({ length: count }, () => section)]);
  };
  const before = process.threadCpuUsage();
  expect(shrinkModule(many(400_000))).toEqual(plain);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(5_000);
});
