import { expect, test } from 'vitest';
import { compileMotoko } from '../../../network/test/compile-motoko.ts';
import { Rejected, TestClient } from '../../test/engine-client.ts';

const SOURCE = `
import Debug "mo:core/Debug";
import Runtime "mo:core/Runtime";
import Nat "mo:core/Nat";
persistent actor {
  Debug.print("started");
  public func light() : async () { Debug.print("light") };
  public func heavy() : async () {
    Debug.print("before");
    var sum = 0;
    for (i in Nat.range(0, 200_000)) { sum += i };
    Debug.print("after");
  };
  public func traps() : async () { Debug.print("to the end"); Runtime.trap("no") };
  public query func asked() : async () { Debug.print("asked") };
}`;

test('what canisters print is heard once, in order, also from messages that are carried out twice', async () => {
  const heavy = { messageSlice: 2_000_000n };
  await using client = await TestClient.start({ prints: true, heavy });
  const heard: string[] = [];
  client.engine.onPrint(({ lines }) => heard.push(...lines.map((line) => Buffer.from(line).toString())));
  const canister = await client.deploy(compileMotoko(SOURCE), { cycles: 100_000_000_000_000n });
  await client.update(canister, 'light');
  await client.update(canister, 'heavy');
  await expect(client.update(canister, 'traps')).rejects.toThrow(Rejected);
  await client.query(canister, 'asked');
  expect(heard).toEqual(['started', 'light', 'before', 'after', 'to the end', 'asked']);
}, 60_000);
