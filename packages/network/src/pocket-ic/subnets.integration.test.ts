import { PocketIc, SubnetStateType } from '@dfinity/pic';
import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMotoko } from '../../test/compile-motoko.ts';
import { startPocketIc, type PocketIc as Program } from './server.ts';

/** What a call between subnets may carry, and what stays within one. */

const NEW = { state: { type: SubnetStateType.New } } as const;
const MEBIBYTE = 1024 * 1024;

const SOURCE = `
import Blob "mo:core/Blob";
import Error "mo:core/Error";
import Principal "mo:core/Principal";
import VarArray "mo:core/VarArray";
persistent actor Reaching {
  type Outcome = { #ok : Nat; #err : { code : Text; message : Text } };
  type Other = actor { take : Blob -> async Nat; give : Nat -> async Blob; seven : query () -> async Nat };
  transient let ic = actor "aaaaa-aa" : actor {
    install_code : {
      mode : { #install }; canister_id : Principal; wasm_module : Blob; arg : Blob;
    } -> async ();
    stop_canister : { canister_id : Principal } -> async ();
  };
  func bytes(size : Nat) : Blob { Blob.fromVarArray(VarArray.repeat<Nat8>(7, size)) };
  func at(id : Principal) : Other { actor (Principal.toText(id)) : Other };
  func refused(error : Error.Error) : Outcome {
    let code = switch (Error.code(error)) {
      case (#destination_invalid) "destination_invalid";
      case (#canister_error) "canister_error";
      case (#canister_reject) "canister_reject";
      case _ "other";
    };
    #err({ code; message = Error.message(error) });
  };
  public func take(data : Blob) : async Nat { data.size() };
  public func give(size : Nat) : async Blob { bytes(size) };
  public query func seven() : async Nat { 7 };
  public func send(other : Principal, size : Nat) : async Outcome {
    try { #ok(await at(other).take(bytes(size))) } catch (error) { refused(error) };
  };
  public func fetch(other : Principal, size : Nat) : async Outcome {
    try { #ok((await at(other).give(size)).size()) } catch (error) { refused(error) };
  };
  public composite query func ask(other : Principal) : async Outcome {
    try { #ok(await at(other).seven()) } catch (error) { refused(error) };
  };
  public func install(other : Principal, size : Nat) : async Outcome {
    try {
      await ic.install_code({ mode = #install; canister_id = other; wasm_module = bytes(size); arg = "" });
      #ok(size);
    } catch (error) { refused(error) };
  };
  public func stop(other : Principal) : async Outcome {
    try { await ic.stop_canister({ canister_id = other }); #ok(0) } catch (error) { refused(error) };
  };
};`;

type Outcome = { ok: bigint } | { err: { code: string; message: string } };

interface Reaching {
  send(other: Principal, size: bigint): Promise<Outcome>;
  fetch(other: Principal, size: bigint): Promise<Outcome>;
  ask(other: Principal): Promise<Outcome>;
  install(other: Principal, size: bigint): Promise<Outcome>;
  stop(other: Principal): Promise<Outcome>;
}

const idlFactory: IDL.InterfaceFactory = () => {
  const outcome = IDL.Variant({
    ok: IDL.Nat,
    err: IDL.Record({ code: IDL.Text, message: IDL.Text }),
  });
  return IDL.Service({
    send: IDL.Func([IDL.Principal, IDL.Nat], [outcome], []),
    fetch: IDL.Func([IDL.Principal, IDL.Nat], [outcome], []),
    ask: IDL.Func([IDL.Principal], [outcome], ['composite_query']),
    install: IDL.Func([IDL.Principal, IDL.Nat], [outcome], []),
    stop: IDL.Func([IDL.Principal], [outcome], []),
  });
};

describe('a canister calls one of its own subnet and one of another', { timeout: 120_000 }, () => {
  let program: Program;
  let pic: PocketIc;
  let caller: Awaited<ReturnType<typeof pic.setupCanister<Reaching>>>['actor'];
  let callerId: Principal;
  let near: Principal;
  let far: Principal;

  beforeAll(async () => {
    // First: it keeps the thread for seconds, and connections that are open would be given up.
    const wasm = compileMotoko(SOURCE);
    program = await startPocketIc({ port: 0 });
    pic = await PocketIc.create(`http://127.0.0.1:${program.port}`, {
      application: [NEW, NEW],
      processingTimeoutMs: 100_000,
    });
    const [first, second] = await pic.getApplicationSubnets();
    const make = async (targetSubnetId: Principal | undefined): Promise<Principal> => {
      const canisterId = await pic.createCanister({ ...(targetSubnetId && { targetSubnetId }) });
      await pic.installCode({ canisterId, wasm });
      return canisterId;
    };
    callerId = await make(first?.id);
    near = await make(first?.id);
    far = await make(second?.id);
    caller = pic.createActor<Reaching>(idlFactory, callerId);
  }, 120_000);

  afterAll(async () => {
    await pic.tearDown();
    await program[Symbol.asyncDispose]();
  });

  test('10 MiB within a subnet, and 2 MiB to another', async () => {
    expect(await caller.send(near, BigInt(3 * MEBIBYTE))).toEqual({ ok: BigInt(3 * MEBIBYTE) });
    const most = 2 * MEBIBYTE - 'take'.length;
    // The blob of Candid: its header, type and length.
    const around = IDL.encode([IDL.Vec(IDL.Nat8)], [new Uint8Array(most)]).length - most;
    expect(await caller.send(far, BigInt(most - around))).toEqual({ ok: BigInt(most - around) });
    expect(await caller.send(far, BigInt(most - around + 1))).toEqual({
      err: {
        code: 'canister_error',
        message: `Canister ${callerId.toText()} violated contract: attempted to send a message of size 2097153 exceeding the limit 2097152`,
      },
    });
  });

  test('replies have 2 MiB at most, wherever they go', async () => {
    expect(await caller.fetch(far, BigInt(MEBIBYTE))).toEqual({ ok: BigInt(MEBIBYTE) });
    for (const other of [near, far])
      expect(await caller.fetch(other, BigInt(3 * MEBIBYTE))).toMatchObject({
        err: { code: 'canister_error' },
      });
  });

  test('a composite query stays within its subnet', async () => {
    expect(await caller.ask(near)).toEqual({ ok: 7n });
    expect(await caller.ask(far)).toEqual({
      err: { code: 'destination_invalid', message: `Canister ${far.toText()} not found` },
    });
  });

  test('a call of the management canister goes to the subnet of the canister that it is about', async () => {
    for (const targetSubnetId of (await pic.getApplicationSubnets()).map(({ id }) => id)) {
      const canisterId = await pic.createCanister({ targetSubnetId });
      await pic.updateCanisterSettings({ canisterId, controllers: [callerId] });
      const isFar = targetSubnetId.toText() === (await pic.getCanisterSubnetId(far))?.toText();
      // Seven is no module: what comes that far is refused for that.
      expect(await caller.install(canisterId, BigInt(2 * MEBIBYTE))).toMatchObject({
        err: {
          message: expect.stringMatching(isFar ? /exceeding the limit 2097152/ : /not valid/) as string,
        },
      });
      expect(await caller.install(canisterId, 1_000n)).toMatchObject({
        err: { message: expect.stringMatching(/not valid/) as string },
      });
      expect(await caller.stop(canisterId)).toEqual({ ok: 0n });
    }
  });
});
