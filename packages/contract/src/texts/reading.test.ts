import { describe, expect, test } from 'vitest';
import { accountEndpoints } from '../account.ts';
import { canisterEndpoints } from '../canister/canister.ts';
import { deployEndpoints } from '../deploy/deploy.ts';
import { documentEndpoints } from '../document.ts';
import type { AnswerOf, Endpoint } from '../endpoint.ts';
import { repositoryEndpoints } from '../repository/repository.ts';
import { truthyOutcome, UnreadableAnswer } from './reading.ts';
import { userEndpoints } from '../session.ts';

function read<E extends Endpoint>({ reading }: E, body: unknown): AnswerOf<E> {
  if (reading === undefined) throw new Error('The call has no reading.');
  return reading.read(body) as AnswerOf<E>;
}

/** Answers that have exactly the fields of chapter 3 of the specification. */
const canister = {
  id: 'c',
  name: 'Shop',
  cycles: 5,
  status: 'running',
  module_hash: 'ab',
  created_at: '2024-03-05T15:07:00Z',
  updated_at: '2024-03-05T15:07:00Z',
};
const log = { id: 'l', cycles: 5, module_hash: ['ab', 'cd'], status: 'stopped', updated_at: 'x' };
const transaction = {
  id: 't',
  transaction_name: 'CANISTER_CREATE',
  transaction_type: 'DEBIT',
  amount: 1,
  balance_before: 2,
  balance_after: 1,
  transaction_meta: '{"canister_id":"c"}',
  created_at: 'x',
};
const instance = {
  id: 'i',
  status: 'COMPLETED',
  deploy_id: 'd',
  trigger_by: 'MANUAL',
  commit_id: 'abc',
  commit_message: 'First',
  logs: 'ok',
  created_at: 'x',
};
const deploy = {
  id: 'd',
  name: 'Site',
  type: 'STATIC_SITE',
  status: 'COMPLETED',
  repo_name: 'site',
  github_repo_owner: 'ada',
  branch: 'main',
  build_command: 'make',
  publish_directory: 'out',
  is_public: false,
  duration: 3,
  created_at: 'x',
  canisters: ['c'],
  parts: [{ canister_id: 'c', name: 'backend', kind: 'module' }],
  on_push: true,
  breaking_changes: 'ask',
  snapshots: 'try',
  health_call: { canister: '', method: 'health', argument: '()', expected: '(true)', deadline: 20 },
  starting_cycles: [{ canister: 'main', amount: 3 }],
  install_arguments: [{ canister: 'backend', argument: '(1)' }],
  root_directory: 'web',
  variables: [{ name: 'VITE_WORD', value: 'peach', secret: false }],
  deployInstance: instance,
};
const user = { id: 'u', name: 'Ada', username: 'ada', avatar: 'https://a/b.png', location: 'London' };

const entities: readonly (readonly [string, Endpoint, Record<string, unknown>])[] = [
  ['user', userEndpoints.profile, user],
  ['canister', canisterEndpoints.status, canister],
  ['insights', accountEndpoints.insights, { balance: 7, total_canisters: 2 }],
  ['deploy', deployEndpoints.one, deploy],
  ['deploy instance', deployEndpoints.instance, instance],
];
const lists: readonly (readonly [string, Endpoint, Record<string, unknown>])[] = [
  ['canisters', canisterEndpoints.list, canister],
  ['canister log entries', canisterEndpoints.statusLogs, log],
  ['transactions', accountEndpoints.transactions, transaction],
  ['deploys', deployEndpoints.list, deploy],
  ['deploy instances', deployEndpoints.instances, instance],
  ['repositories', repositoryEndpoints.list, { name: 'site', private: true, owner: { login: 'ada' } }],
  ['branches', repositoryEndpoints.branches, { name: 'main' }],
];

describe('[ENT-16] answers with the fields of the specification only', () => {
  test.each(entities)('%s: bare and wrapped, every value kept', (_name, endpoint, body) => {
    for (const form of [body, { data: body }, { data: { data: body } }, { status: 200, data: body }]) {
      expect(read(endpoint, form)).toMatchObject(body);
    }
  });

  test.each(lists)('[API-33] %s: bare and wrapped, every value kept', (_name, endpoint, row) => {
    for (const form of [[row], { data: [row] }, { data: { data: [row] } }]) {
      expect(read(endpoint, form)).toMatchObject([row]);
    }
    for (const nothing of [null, {}, { data: null }, { data: {} }])
      expect(read(endpoint, nothing)).toEqual([]);
    for (const none of ['no', 7, { rows: [row] }, undefined]) expect(() => read(endpoint, none)).toThrow();
  });

  test.each([...entities, ...lists])(
    '%s: each value absent, null or of another type',
    (_name, endpoint, body) => {
      const isList = lists.some(([, list]) => list === endpoint);
      const whole = isList ? [body] : body;
      const first = (answer: unknown): unknown => (isList ? (answer as unknown[])[0] : answer);
      for (const field of Object.keys(body)) {
        const { [field]: dropped, ...rest } = body;
        const forms = [rest, { ...rest, [field]: null }, { ...rest, [field]: Symbol.iterator }];
        for (const form of forms) {
          const answer = read(endpoint, isList ? [form, body] : form);
          expect(first(answer), `without ${field}`).toMatchObject(rest);
          const empty =
            field === 'id'
              ? ''
              : Array.isArray(dropped) &&
                  ['canisters', 'parts', 'install_arguments', 'variables', 'starting_cycles'].includes(field)
                ? []
                : null;
          const isFlag = typeof dropped === 'boolean';
          expect((first(answer) as Record<string, unknown>)[field], field).toEqual(isFlag ? false : empty);
          if (isList) expect(answer).toHaveLength(2);
        }
      }
      expect(read(endpoint, whole)).toBeDefined();
    },
  );

  test('numbers may come as texts and ids as numbers', () => {
    const [row] = read(canisterEndpoints.list, [{ ...canister, id: 12, cycles: '1500000000000' }]);
    expect(row).toMatchObject({ id: '12', cycles: 1_500_000_000_000 });
    expect(read(accountEndpoints.insights, { balance: '7', total_canisters: '2' })).toMatchObject({
      balance: 7,
      total_canisters: 2,
    });
    expect(read(canisterEndpoints.status, { ...canister, cycles: 'many' }).cycles).toBeNull();
  });

  test('what is as its reading would be is not copied', () => {
    const exact = read(canisterEndpoints.status, canister);
    expect(read(canisterEndpoints.status, exact)).toBe(exact);
    expect(read(canisterEndpoints.status, { ...exact, more: 1 })).toEqual(exact);
    const [row] = read(deployEndpoints.list, [deploy]);
    expect(read(deployEndpoints.list, [row])[0]).toBe(row);
    const { name: _name, ...less } = row as Record<string, unknown>;
    expect(read(deployEndpoints.list, [{ ...less, other: 1 }])[0]).toEqual({ ...row, name: null });
    expect(read(deployEndpoints.list, [{ ...row, canisters: ['c', null] }])[0]).toEqual(row);
  });

  test('what is no row is left out and hides no other', () => {
    expect(read(canisterEndpoints.list, [null, 'no', canister, 7, []])).toMatchObject([canister]);
    const broken = { ...deploy, canisters: ['a', null, { id: 'b' }, 'c'], deployInstance: 'none' };
    expect(read(deployEndpoints.list, [broken])[0]).toMatchObject({
      canisters: ['a', 'c'],
      deployInstance: null,
    });
  });

  test('an entity that is no object cannot be read', () => {
    for (const none of ['no', 7, null, [canister], undefined]) {
      expect(() => read(canisterEndpoints.status, none)).toThrow('not an object');
    }
  });
});

test('[API-06] [API-20] [API-31] [API-32] an id is found in each form the specification shows', () => {
  const forms = [{ canister_id: { canister_id: 'x' } }, { data: { canister_id: 'x' } }, { canister_id: 'x' }];
  for (const form of forms) expect(read(canisterEndpoints.create, form)).toBe('x');
  for (const none of [{}, null, undefined, { message: 'made' }, { data: {} }, { canister_id: {} }]) {
    expect(read(canisterEndpoints.create, none)).toBeUndefined();
  }
  for (const form of [{ data: { identifier: 'w' } }, { identifier: 'w' }, { data: 'w' }]) {
    expect(read(documentEndpoints.uploadWasm, form)).toBe('w');
  }
  for (const form of [{ id: 4 }, { data: { id: '4' } }, { data: '4' }, { data: { data: { id: '4' } } }]) {
    expect(read(deployEndpoints.create, form)).toBe('4');
    expect(read(deployEndpoints.trigger, form)).toBe('4');
  }
  expect(read(deployEndpoints.trigger, { instance_id: 'run' })).toBe('run');
});

test('[API-39] where no answer shape is named, any answer is a success', () => {
  const { start, stop, delete: remove, install, topUp } = canisterEndpoints;
  for (const answer of [{}, { message: 'Done.' }, { data: true }, null, undefined, 'ok', []]) {
    for (const endpoint of [start, stop, install, deployEndpoints.update]) {
      expect(() => read(endpoint, answer)).not.toThrow();
    }
    expect(read(remove, answer).refunded).toBeNull();
    expect(read(topUp, answer).error).toBeUndefined();
  }
  expect(read(topUp, { error: 'Too little.' }).error).toBe('Too little.');
  expect(read(topUp, { data: { error: 'Too little.' } }).error).toBe('Too little.');
});

test.each([
  [{ data: 'data:image/png;base64,AAAA' }, 'data:image/png;base64,AAAA'],
  ['data:image/gif;base64,AAAA', 'data:image/gif;base64,AAAA'],
  [{ data: { data: 'data:image/png;base64,AAAA' } }, 'data:image/png;base64,AAAA'],
  [{ data: 'javascript:alert(1)' }, undefined],
  [{ data: 'data:text/html,<script>' }, undefined],
  [null, undefined],
])('[API-22] [OP-38] the picture of %j is read as %s', (body, expected) => {
  expect(read(documentEndpoints.get, body)).toBe(expected);
});

test.each([
  [{ data: null }, false],
  [{ data: false }, false],
  [{ data: '' }, false],
  [{ data: { id: 'x' } }, true],
  [{ data: true }, true],
  [{}, true],
  [null, true],
])('[API-12] an installation answered with %j counts as done: %s', (body, isDone) => {
  const answer = (): unknown => truthyOutcome.read(body);
  if (isDone) expect(answer()).toEqual({});
  else expect(answer).toThrow(UnreadableAnswer);
});
