import { expect, test } from 'vitest';
import { checkLeftOut, LeftOutError, leftOutOf } from './left-out.ts';
import type { LeftCanister, MotokoCanister, SiteCanister } from './plan.ts';

const common = { folder: '', argument: null, settings: {} };

function motoko(name: string, ...dependencies: string[]): MotokoCanister {
  return { ...common, kind: 'motoko', name, dependencies, main: `${name}.mo`, flags: [] };
}

function site(name: string, ...dependencies: string[]): SiteCanister {
  return { ...common, kind: 'site', name, dependencies, sources: ['dist'], commands: [] };
}

function left(name: string, more: Partial<LeftCanister> = {}): LeftCanister {
  const reason = 'Rust is not compiled here';
  const none = { id: null, candid: null, realId: null };
  return { ...common, kind: 'left', name, dependencies: [], type: 'rust', reason, ...none, ...more };
}

test.each([
  ['a website needs what its settings name', [site('web', 'backend'), motoko('other')], 'web'],
  ['a website that names nothing needs all of its project', [motoko('other'), site('web')], 'web'],
  ['a website that names others needs no more', [site('web', 'other'), motoko('other')], null],
  ['a canister needs what it imports', [motoko('api', 'backend')], 'api'],
  ['a canister that imports nothing needs nothing', [motoko('api')], null],
])('%s', (_, deployed, neededBy) => {
  expect(leftOutOf(deployed, [left('backend')])).toEqual([
    { name: 'backend', type: 'Rust', reason: 'Rust is not compiled here.', neededBy },
  ]);
});

test('what is on the network already is not left out, and what others run there is not needed', () => {
  const web = [site('web', 'ledger', 'identity')];
  const others = [left('ledger', { id: 'aaaaa-aa' }), left('identity', { realId: 'aaaaa-aa' })];
  expect(leftOutOf(web, others)).toMatchObject([{ name: 'identity', neededBy: null }]);
});

test.each([
  ['it is not known', 'It is not known.'],
  ['https://a.example/b.wasm could not be fetched', 'https://a.example/b.wasm could not be fetched.'],
  ['main.mo is missing', 'main.mo is missing.'],
])('the reason %j is the sentence %j', (reason, text) => {
  expect(leftOutOf([], [left('a', { reason })])).toMatchObject([{ reason: text }]);
});

test.each([
  ['rust', 'Rust'],
  ['@dfinity/rust@v3.1.0', 'Rust'],
  ['azle', 'Azle'],
  ['constructor', 'constructor'],
  ['own build steps', 'own build steps'],
])('the type %s is named %s', (type, text) => {
  expect(leftOutOf([], [left('a', { type })])).toMatchObject([{ type: text }]);
});

test('what is needed is refused unless the owner has agreed', () => {
  const found = leftOutOf([site('web', 'backend')], [left('backend')]);
  const refused = (): unknown => checkLeftOut(found, { deployed: 1, agreed: ['other'] });
  expect(refused).toThrow(LeftOutError);
  expect(refused).toThrow(/^web needs backend \(Rust\), which is not deployed: Rust is not compiled here\. /);
  expect(checkLeftOut(found, { deployed: 1, agreed: ['backend'] })).toEqual([
    expect.objectContaining({ name: 'backend', neededBy: null }),
  ]);
});
