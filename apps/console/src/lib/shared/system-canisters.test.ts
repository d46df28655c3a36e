import { expect, test } from 'vitest';
import { withSystemNames } from './system-canisters.ts';

test.each([
  [
    'Controllers: rkp4c-7iaaa-aaaaa-aaaca-cai, 2vxsx-fae.',
    'Controllers: rkp4c-7iaaa-aaaaa-aaaca-cai (Cycles minting canister), 2vxsx-fae.',
  ],
  ['New controllers: aaaaa-aa.', 'New controllers: aaaaa-aa (Management canister).'],
  ['aaaaa-aaaaq-cai, x-aaaaa-aa and toString', 'aaaaa-aaaaq-cai, x-aaaaa-aa and toString'],
])('%s', (text, shown) => {
  expect(withSystemNames(text)).toBe(shown);
});
