import type { CanisterSettings } from '@cannery/contract';
import { describe, expect, test } from 'vitest';
import { principalMistake, readDraft } from './read-draft.ts';
import { draftOf, givesUpControl, withEdit, withVariable } from './settings-draft.ts';

const CONSOLE = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const OTHER = 'aaaaa-aa';
const settings: CanisterSettings = {
  controllers: [CONSOLE],
  compute_allocation: '0',
  memory_allocation: '0',
  freezing_threshold: '2592000',
  reserved_cycles_limit: '5000000000000',
  minimum_incoming_canister_call_cycles: '0',
  wasm_memory_limit: '3221225472',
  wasm_memory_threshold: '0',
  log_memory_limit: '4096',
  log_visibility: 'controllers',
  snapshot_visibility: { allowed_viewers: [OTHER] },
  status_visibility: 'controllers',
  environment_variables: [{ name: 'MODE', value: 'test' }],
};
const draft = draftOf(settings);

test('an untouched form changes nothing', () => {
  expect(readDraft(draft, settings)).toEqual({ change: {}, mistakes: new Map() });
});

test('only what differs is sent, in the units of the network', () => {
  const changed = {
    ...draft,
    freezing_threshold: { text: '90', unit: 'days' },
    wasm_memory_limit: { text: '3072', unit: 'MiB' },
    minimum_incoming_canister_call_cycles: { text: '0.5', unit: 'T cycles' },
    log_memory_limit: { text: '0', unit: 'KiB' },
    log_visibility: { who: 'public', viewers: { principals: [], typed: '' } },
    status_visibility: { who: 'allowed_viewers', viewers: { principals: [OTHER], typed: '' } },
    snapshot_visibility: { who: 'allowed_viewers', viewers: { principals: [OTHER], typed: '' } },
  } as const;
  expect(readDraft(changed, settings).change).toEqual({
    freezing_threshold: '7776000',
    minimum_incoming_canister_call_cycles: '500000000000',
    log_memory_limit: '0',
    log_visibility: 'public',
    status_visibility: { allowed_viewers: [OTHER] },
  });
});

test('what is changed elsewhere while somebody types is neither taken back nor sent', () => {
  const typed = withEdit(undefined, settings, { freezing_threshold: { text: '90', unit: 'days' } });
  // A controller is added by another tool.
  const now = { ...settings, controllers: [CONSOLE, OTHER], compute_allocation: '1' };
  const { draft: both, base } = withEdit(typed, now, { log_memory_limit: { text: '0', unit: 'KiB' } });
  expect(readDraft(both, base).change).toEqual({ freezing_threshold: '7776000', log_memory_limit: '0' });
});

test('a principal that is typed and not added yet is saved as well', () => {
  const viewers = { principals: [], typed: ` ${OTHER} ` };
  const changed = {
    ...draft,
    controllers: { ...draft.controllers, typed: OTHER },
    log_visibility: { who: 'allowed_viewers', viewers },
    // Its field is not on the screen.
    status_visibility: { who: 'controllers', viewers: { ...viewers, typed: 'aaaaa' } },
  } as const;
  expect(readDraft(changed, settings)).toEqual({
    change: { controllers: [CONSOLE, OTHER], log_visibility: { allowed_viewers: [OTHER] } },
    mistakes: new Map(),
  });
});

describe('mistakes', () => {
  test('a text beneath a list of principals that cannot join it is not left out unsaid', () => {
    const changed = {
      ...draft,
      controllers: { ...draft.controllers, typed: 'aaaaa-ab' },
      snapshot_visibility: { who: 'allowed_viewers', viewers: { principals: [OTHER], typed: OTHER } },
      log_visibility: { who: 'allowed_viewers', viewers: { principals: [OTHER], typed: '  ' } },
    } as const;
    expect(Object.fromEntries(readDraft(changed, settings).mistakes)).toEqual({
      controllers: 'This is not a principal: a letter is wrong or missing.',
      snapshot_visibility: 'It is on the list already.',
    });
  });

  test.each([
    ['compute_allocation', { text: '101', unit: '%' }, 'At most 100 %.'],
    ['memory_allocation', { text: '262145', unit: 'GiB' }, 'At most 256 TiB.'],
    ['log_memory_limit', { text: '3', unit: 'MiB' }, 'At most 2 MiB.'],
    ['log_memory_limit', { text: '4095', unit: 'bytes' }, 'Enter 0, or at least 4 KiB.'],
    [
      'freezing_threshold',
      { text: 'long', unit: 'days' },
      'Enter a number that makes a whole number of seconds.',
    ],
  ] as const)('%s', (field, quantity, mistake) => {
    const { mistakes, change } = readDraft({ ...draft, [field]: quantity }, settings);
    expect([...mistakes]).toEqual([[field, mistake]]);
    expect(change).toEqual({});
  });

  test('environment variables need a name of their own that is not too long', () => {
    const variables = [
      { key: 0, name: 'MODE', value: '' },
      { key: 1, name: 'MODE', value: '' },
      { key: 2, name: '', value: '' },
      { key: 3, name: 'é'.repeat(65), value: '' },
      { key: 4, name: 'LONG', value: 'x'.repeat(129) },
    ];
    const { mistakes } = readDraft({ ...draft, environment_variables: variables }, settings);
    expect(Object.fromEntries(mistakes)).toEqual({
      'environment_variables/1': 'This name is taken by a variable above.',
      'environment_variables/2': 'Enter a name.',
      'environment_variables/3': 'A name has at most 128 bytes.',
      'environment_variables/4': 'A value has at most 128 bytes.',
    });
  });

  test.each([
    [CONSOLE, undefined],
    [OTHER, undefined],
    ['rrkah-fqaaa-aaaaa-aaaaq-caj', 'This is not a principal: a letter is wrong or missing.'],
    ['', 'Enter a principal, such as rrkah-fqaaa-aaaaa-aaaaq-cai.'],
  ])('principal %j', (text, mistake) => {
    expect(principalMistake(text)).toBe(mistake);
  });
});

test('the guard asks only when a change takes the console off the controllers', () => {
  expect(givesUpControl({}, CONSOLE)).toBe(false);
  expect(givesUpControl({ controllers: [OTHER, CONSOLE] }, CONSOLE)).toBe(false);
  expect(givesUpControl({ controllers: [OTHER] }, CONSOLE)).toBe(true);
});

test('there are at most 20 environment variables, each with another key', () => {
  let variables = draft.environment_variables;
  for (let round = 0; round < 30; round += 1) variables = withVariable(variables);
  expect(variables).toHaveLength(20);
  expect(new Set(variables.map(({ key }) => key)).size).toBe(20);
});
