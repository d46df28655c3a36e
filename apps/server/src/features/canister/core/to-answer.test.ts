import { codeOrigin, originKinds } from '@cannery/contract';
import { expect, test } from 'vitest';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';
import { originAnswer } from './to-answer.ts';
import type { CanisterRow } from './store.ts';

const origins: Readonly<Record<CodeOrigin['kind'], CodeOrigin>> = {
  dapp: { kind: 'dapp', dappId: 'd', versionId: 'v', name: 'Counter', version: '1.0', publisher: 'eve' },
  registry: { kind: 'registry', registryId: 'r', name: 'Bread', version: 2 },
  run: { kind: 'run', deployId: 'p', runId: 'n', name: 'pages', number: 7, commit: 'c'.repeat(40) },
  file: { kind: 'file' },
  empty: { kind: 'empty' },
  unknown: { kind: 'unknown' },
};

const row = (more: Partial<CanisterRow>): CanisterRow =>
  ({
    origin: origins.file,
    origin_hash: 'aa',
    origin_by: 'ada',
    origin_at: new Date(0),
    module_hash: 'aa',
    action_id: null,
    ...more,
  }) as CanisterRow;

test.each(originKinds)('an origin of the kind %s is answered as the contract has it', (kind) => {
  const answer = originAnswer(row({ origin: origins[kind] }));
  expect(codeOrigin.strict().parse(answer)).toMatchObject({ kind, by: 'ada', changed_outside: false });
});

test.each([
  ['the recorded hash', {}, false],
  ['another hash', { module_hash: 'bb' }, true],
  ['no code', { module_hash: null }, true],
  ['code where none was recorded', { origin_hash: null }, true],
  ['no code where none was recorded', { origin_hash: null, module_hash: null }, false],
  [
    'another hash while an action runs, which may have put it in',
    { module_hash: 'bb', action_id: 'x' },
    false,
  ],
] as const)('%s', (_name, more, isChanged) => {
  expect(originAnswer(row(more)).changed_outside).toBe(isChanged);
});
