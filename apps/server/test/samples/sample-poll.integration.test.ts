import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SampleCanister, START_MS, startSample } from './sample-canister.ts';

const question = IDL.Record({ question: IDL.Text, options: IDL.Vec(IDL.Text) });
const done = IDL.Variant({ ok: IDL.Null, err: IDL.Text });
const interfaceOf: IDL.InterfaceFactory = () =>
  IDL.Service({
    vote: IDL.Func([IDL.Nat], [done], []),
    my_vote: IDL.Func([], [IDL.Opt(IDL.Nat)], ['query']),
    results: IDL.Func(
      [],
      [
        IDL.Record({
          question: IDL.Text,
          options: IDL.Vec(IDL.Record({ text: IDL.Text, votes: IDL.Nat })),
          voters: IDL.Nat,
        }),
      ],
      ['query'],
    ),
    close: IDL.Func([], [done], []),
    is_open: IDL.Func([], [IDL.Bool], ['query']),
  });

type Done = { ok: null } | { err: string };
interface Poll {
  vote(option: bigint): Promise<Done>;
  my_vote(): Promise<[] | [bigint]>;
  results(): Promise<{ options: { text: string; votes: bigint }[]; voters: bigint }>;
  close(): Promise<Done>;
  is_open(): Promise<boolean>;
}

const argumentOf = (options: string[]): Uint8Array =>
  new Uint8Array(IDL.encode([IDL.Opt(question)], [[{ question: 'Tea or coffee?', options }]]));

let poll: SampleCanister;
beforeAll(async () => {
  poll = await startSample('poll', argumentOf(['Tea', 'Coffee']));
}, START_MS);
afterAll(() => poll.close());

test('a poll counts one vote a principal, refuses nobody in particular, and an upgrade keeps the votes', async () => {
  const ada = await poll.actor<Poll>(interfaceOf, Ed25519KeyIdentity.generate());
  const bob = await poll.actor<Poll>(interfaceOf, Ed25519KeyIdentity.generate());
  const nobody = await poll.actor<Poll>(interfaceOf);
  expect(await ada.vote(1n)).toEqual({ ok: null });
  expect(await ada.vote(0n)).toEqual({ err: 'You have voted already.' });
  expect(await bob.vote(2n)).toEqual({ err: 'There is no such option.' });
  expect(await nobody.vote(0n)).toEqual({ err: 'Sign in to vote.' });
  expect(await ada.my_vote()).toEqual([1n]);

  await poll.upgrade('1.1.0');
  expect(await ada.my_vote()).toEqual([1n]);
  expect(await ada.vote(0n)).toEqual({ err: 'You have voted already.' });
  expect(await bob.vote(1n)).toEqual({ ok: null });
  expect(await bob.results()).toMatchObject({
    options: [
      { text: 'Tea', votes: 0n },
      { text: 'Coffee', votes: 2n },
    ],
    voters: 2n,
  });

  expect(await bob.close()).toEqual({ err: expect.stringContaining('Only a controller') });
  const owner = await poll.actor<Poll>(interfaceOf, poll.controller);
  expect(await owner.close()).toEqual({ ok: null });
  expect(await owner.is_open()).toBe(false);
  expect(await owner.vote(0n)).toEqual({ err: 'The poll is closed.' });
});

test('a poll without a question, or with too many options, is not installed', async () => {
  await expect(poll.install(new Uint8Array(IDL.encode([], [])))).rejects.toThrow('Give the question');
  const many = Array.from({ length: 21 }, (_, index) => `Option ${index}`);
  await expect(poll.install(argumentOf(many))).rejects.toThrow('2 to 20 options');
});
