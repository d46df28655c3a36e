import type { Deploy } from '@cannery/contract';
import { expect, test } from 'vitest';
import { argumentRows, givenArguments } from './install-arguments-form.tsx';

const parts = [
  { canister_id: 'a', name: 'backend', kind: 'module' },
  { canister_id: 'b', name: 'frontend', kind: 'site' },
  { canister_id: 'c', name: null, kind: null },
];

test('every canister of code has a line, and so has every argument that is saved', () => {
  const install_arguments = [
    { canister: 'ledger', argument: '(1)' },
    { canister: null, argument: 'lost' },
  ];
  expect(argumentRows({ parts, install_arguments } as unknown as Deploy)).toEqual([
    { canister: 'backend', argument: '', isNew: false },
    { canister: 'ledger', argument: '(1)', isNew: false },
  ]);
});

test('lines that say nothing are not sent', () => {
  expect(
    givenArguments([
      { canister: ' a ', argument: ' (1) ', isNew: true },
      { canister: 'b', argument: ' ', isNew: false },
      { canister: '', argument: '(2)', isNew: true },
    ]),
  ).toEqual([{ canister: 'a', argument: '(1)' }]);
});
