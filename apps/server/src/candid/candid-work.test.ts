import { CandidError } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { describe, expect, test } from 'vitest';
import { onCandid } from './candid-thread.ts';
import { candidWork } from './candid-work.ts';

const SERVICE = `type Health = record { well : bool; since : nat };
service : { health : (text) -> (Health) query; tick : () -> (); all : () -> (vec null) }`;
const health = [IDL.Record({ well: IDL.Bool, since: IDL.Nat })];

describe('a health call', () => {
  test('is made as the interface says', () => {
    const ready = candidWork.prepareCall(SERVICE, { method: 'health', argument: '("x")', expected: '' });
    expect(ready).toEqual({ mode: 'query', arg: new Uint8Array(IDL.encode([IDL.Text], ['x'])) });
    expect(candidWork.prepareCall(SERVICE, { method: 'tick', argument: '', expected: '()' }).mode).toBe(
      'update',
    );
  });

  test.each([
    ['a method that is not there', { method: 'gone', argument: '', expected: '' }, /no method gone/],
    ['arguments that do not fit', { method: 'health', argument: '(5)', expected: '' }, /text/],
    ['an answer that cannot come', { method: 'health', argument: '("x")', expected: '(5)' }, /record/],
  ])('with %s cannot be made', (_, call, reason) => {
    expect(() => candidWork.prepareCall(SERVICE, call)).toThrow(reason);
    expect(() => candidWork.prepareCall(SERVICE, call)).toThrow(CandidError);
  });

  test('answers as expected when the values are the same, however the text is written', () => {
    const reply = IDL.encode(health, [{ well: true, since: 1_000n }]);
    const read = (expected: string) => candidWork.readReply(SERVICE, { method: 'health', expected, reply });
    expect(read('(record { since = 1_000 : nat; well = true })').isExpected).toBe(true);
    expect(read('record { well = true; since = 1000 }').isExpected).toBe(true);
    expect(read('(record { well = true; since = 1001 })').isExpected).toBe(false);
    expect(read('').isExpected).toBe(true);
    expect(read('').text).toBe('(record { well = true; since = 1_000 : nat })');
  });

  test('of which a short answer means very many values is read in a thread, and answered by its beginning', async () => {
    // 500,000 nulls: six characters each as text.
    const reply = Buffer.concat([Buffer.from('4449444c016d7f0100', 'hex'), Buffer.from([0xa0, 0xc2, 0x1e])]);
    const work = onCandid('readReply', SERVICE, { method: 'all', expected: '', reply });
    const beat = new Promise((resolve) => setTimeout(resolve, 20, 'beat'));
    expect(await Promise.race([work, beat])).toBe('beat');
    expect((await work).text).toHaveLength(1_000);
    const bomb = Buffer.from('4449444c016d7f01008080808004', 'hex');
    await expect(
      onCandid('readReply', SERVICE, { method: 'all', expected: '', reply: bomb }),
    ).rejects.toThrow(CandidError);
  });
});
