import { parseService, parseValues, printValues, type ServiceMethod } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callMethod, sendByAgent } from './call-method.ts';
import { connect, type Network } from '../connect.ts';
import { explainError } from './explain-error.ts';
import { type CanisterFacts, loadCanister } from '../load-canister.ts';
import { startTestNetwork, type TestNetwork } from '../network.testing.ts';

const SOURCE = `
import Runtime "mo:core/Runtime";
persistent actor {
  type Tree = { #leaf; #node : { left : Tree; value : Int; right : Tree } };
  var n = 0;
  public func add(some : Nat) : async Nat { n += some; n };
  public query func get() : async Nat { n };
  public query func echo(tree : Tree, note : ?Text, bytes : Blob) : async (Tree, ?Text, Blob) { (tree, note, bytes) };
  public composite query func twice() : async Nat { n * 2 };
  public func ping() : () { n += 100 };
  public func fail() : async () { Runtime.trap("on purpose") };
}`;

let local: TestNetwork;
let network: Network;
let id: string;
let emptyId: string;
let facts: CanisterFacts | undefined;

beforeAll(async () => {
  local = await startTestNetwork();
  id = await local.deployMotoko(SOURCE);
  emptyId = await local.createEmpty();
  network = await connect(local.url, AbortSignal.timeout(10_000));
  facts = await loadCanister(network.agentOf(), id);
});

afterAll(() => local.close());

function method(name: string): ServiceMethod {
  const found = parseService(facts?.candid ?? '').methods.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`the interface has no method ${name}`);
  return found;
}

async function call(name: string, args = '()'): Promise<string | undefined> {
  const called = method(name);
  const send = sendByAgent(network.agentOf(), id);
  const { reply } = await callMethod(send, called, parseValues(args, called.args));
  return reply && printValues(called.results, IDL.decode(called.results, reply));
}

test('the certified facts of a canister with code, without code, and of none', async () => {
  expect(facts).toMatchObject({ id, moduleHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(facts?.controllers).toHaveLength(1);
  expect(await loadCanister(network.agentOf(), emptyId)).toMatchObject({
    moduleHash: undefined,
    candid: undefined,
  });
  expect(await loadCanister(network.agentOf(), 'rrkah-fqaaa-aaaaa-aaaaq-cai')).toBeUndefined();
});

test('every mode of method is called for real', async () => {
  expect(await call('add', '(5)')).toBe('(5 : nat)');
  expect(await call('get')).toBe('(5 : nat)');
  expect(await call('twice')).toBe('(10 : nat)');
  expect(await call('ping')).toBeUndefined();
  await expect.poll(() => call('get')).toBe('(105 : nat)');
});

test('composite values go there and back', async () => {
  const tree =
    'variant { node = record { left = variant { leaf }; right = variant { leaf }; value = -3 : int } }';
  const reply = await call('echo', `(${tree}, opt "é", blob "\\00\\ff")`);
  expect(parseValues(reply ?? '', method('echo').results)).toEqual(
    parseValues(`(${tree}, opt "é", blob "\\00\\ff")`, method('echo').results),
  );
});

test('a trap is explained with its codes', async () => {
  const error: unknown = await call('fail').catch((cause: unknown) => cause);
  expect(explainError(error)).toMatchObject({
    title: 'The canister stopped with an error',
    rejectCode: '5 CANISTER_ERROR',
    errorCode: 'IC0503',
    message: expect.stringContaining('on purpose'),
  });
});

test('a reply that does not fit the interface is said to, and kept', async () => {
  const wrong = { ...method('get'), results: method('echo').results };
  const send = sendByAgent(network.agentOf(), id);
  const error: unknown = await callMethod(send, wrong, []).catch((cause: unknown) => cause);
  expect(explainError(error)).toMatchObject({ title: 'The reply does not fit the interface' });
  expect(explainError(error).detail).toContain('4449444c');
});

test('a network that is not there is reported within seconds', async () => {
  const nowhere = await connect('http://127.0.0.1:9', AbortSignal.timeout(10_000));
  const error: unknown = await loadCanister(nowhere.agentOf(), id).catch((cause: unknown) => cause);
  expect(explainError(error).title).toBe('The network did not answer');
});
