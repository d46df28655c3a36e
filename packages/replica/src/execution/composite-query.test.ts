import { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMotoko } from '../../../network/test/compile-motoko.ts';
import { asNat, nat, TestClient } from '../../test/engine-client.ts';

const SOURCE = `
import Runtime "mo:core/Runtime";
persistent actor Self {
  var count : Nat = 7;
  public query func plain() : async Nat { count += 1; count };
  public composite query func nested(depth : Nat) : async Nat {
    count += 100;
    if (depth == 0) count else { ignore await nested(depth - 1); count };
  };
  public composite query func sum() : async Nat { count += 10; let a = await plain(); let b = await plain(); a + b };
  public composite query func traps() : async Nat { ignore await plain(); Runtime.trap("after the call") };
}`;

describe('a composite query of its own canister', { timeout: 30_000 }, () => {
  let client: TestClient;
  let canister: Uint8Array;

  beforeAll(async () => {
    client = await TestClient.start();
    canister = await client.deploy(compileMotoko(SOURCE), { cycles: 100_000_000_000_000n });
  }, 120_000);
  afterAll(() => client[Symbol.asyncDispose]());

  test('sees the committed state in every call, and its own in between', async () => {
    expect(asNat(await client.query(canister, 'sum'))).toBe(16n);
    expect(asNat(await client.query(canister, 'nested', nat(5)))).toBe(107n);
    expect(asNat(await client.query(canister, 'plain'))).toBe(8n);
  });

  test('may not be nested deeper than the limit', async () => {
    await expect(client.query(canister, 'nested', nat(50))).rejects.toMatchObject({
      rejectCode: 5,
      message: expect.stringContaining('maximum call depth'),
    });
  });

  test('fails with the trap of its callback', async () => {
    await expect(client.query(canister, 'traps')).rejects.toThrow('after the call');
    expect(IDL.decode([IDL.Nat], (await client.query(canister, 'plain')).slice())).toEqual([8n]);
  });
});
