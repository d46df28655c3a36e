import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Actor, type HttpAgent } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COUNTER_SOURCE, counter } from '../test/canisters/counter.ts';
import { connect, deploy } from '../test/agent.ts';
import { compileMotoko } from '../test/compile-motoko.ts';
import { wat } from '../../wasm/test/wasm.ts';

const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url));

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

let dataDir: string;
const children: Child[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-cli-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

function start(...args: readonly string[]): Child {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

async function startNetwork(...args: readonly string[]): Promise<{ child: Child; url: string }> {
  const child = start('--data-dir', dataDir, '--port', '0', '--services', 'none', ...args);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  for await (const line of createInterface(child.stdout)) {
    const url = /^network ready: (http:\S+)$/.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Error(`the network did not start: ${errors}`);
}

async function end(child: Child, how: () => void): Promise<number | null> {
  const exit = once(child, 'exit') as Promise<[number | null]>;
  how();
  return (await exit)[0];
}

test('kill -9 between and during calls loses nothing that was answered', async () => {
  const owner = Ed25519KeyIdentity.generate();
  let running = await startNetwork();
  let agent: HttpAgent = await connect(running.url, owner);
  const canisterId = await deploy(agent, compileMotoko(COUNTER_SOURCE));
  let answered = 0n;
  for (let round = 0; round < 5; round += 1) {
    const actor = counter(agent, canisterId);
    for (let call = 0; call <= round; call += 1) answered = await actor.inc();
    const inFlight = round % 2 === 1 ? Array.from({ length: 20 }, () => actor.inc()) : [];
    const results = Promise.allSettled(inFlight);
    if (inFlight.length > 0) await inFlight[0];
    await end(running.child, () => running.child.kill('SIGKILL'));
    for (const result of await results) {
      if (result.status === 'fulfilled' && result.value > answered) answered = result.value;
    }
    running = await startNetwork();
    agent = await connect(running.url, owner);
    const survived = await counter(agent, canisterId).get();
    expect(survived).toBeGreaterThanOrEqual(answered);
    expect(survived).toBeLessThanOrEqual(answered + BigInt(inFlight.length));
    answered = survived;
  }
});

test('a call answered before the kill can still be read by its sender afterwards, and by nobody else', async () => {
  const owner = Ed25519KeyIdentity.generate();
  const first = await startNetwork();
  const canisterId = await deploy(await connect(first.url, owner), compileMotoko(COUNTER_SOURCE));
  const agent = await connect(first.url, owner);
  const { requestId } = await agent.call(canisterId, {
    methodName: 'inc',
    arg: Buffer.from('4449444c0000', 'hex'),
  });
  await end(first.child, () => first.child.kill('SIGKILL'));
  const second = await startNetwork();
  const paths = [[Buffer.from('request_status'), requestId]];
  const mine = await (await connect(second.url, owner)).readState({ canisterId }, { paths });
  const status = mine.verifiedCertificate?.lookup_path(['request_status', requestId, 'status']);
  expect(status).toMatchObject({ status: 'Found' });
  const stranger = await connect(second.url, Ed25519KeyIdentity.generate());
  await expect(stranger.readState({ canisterId }, { paths })).rejects.toThrow('not signed by the caller');
});

test('signals and the end of the parent stop it cleanly', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { child } = await startNetwork();
    expect(await end(child, () => child.kill(signal))).toBe(0);
  }
  const { child } = await startNetwork('--exit-with-parent');
  expect(await end(child, () => child.stdin.end())).toBe(0);
});

test('a taken port is named, and the network ends instead of hanging', async () => {
  const { url } = await startNetwork();
  const otherDir = mkdtempSync(join(tmpdir(), 'cannery-cli-'));
  const child = start('--data-dir', otherDir, '--port', new URL(url).port);
  const output = child.stderr.toArray();
  expect(await end(child, () => undefined)).toBe(1);
  const words = Buffer.concat((await output) as Buffer[]).toString();
  expect(words).toContain(`Port ${new URL(url).port} on 127.0.0.1 is in use`);
  rmSync(otherDir, { recursive: true });
});

test('code that does not end is stopped at the limit that was set', async () => {
  const { url } = await startNetwork(
    '--instruction-limit',
    'update=1000000',
    '--instruction-limit',
    'query=500000',
  );
  const agent = await connect(url, Ed25519KeyIdentity.generate());
  const loop = '(loop $l (br $l))';
  const canisterId = await deploy(
    agent,
    wat(`(module (func (export "canister_update f") ${loop}) (func (export "canister_query q") ${loop}))`),
  );
  const actor = Actor.createActor<Record<'f' | 'q', () => Promise<void>>>(
    ({ IDL }) => IDL.Service({ f: IDL.Func([], [], []), q: IDL.Func([], [], ['query']) }),
    { agent, canisterId },
  );
  await expect(actor.f()).rejects.toThrow('exceeded the limit of 1000000 instructions');
  await expect(actor.q()).rejects.toThrow('exceeded the limit of 500000 instructions');
});

test('wrong use is explained', async () => {
  for (const [args, words] of [
    [[], '--data-dir is required'],
    [['--data-dir', dataDir, '--port', 'x'], '--port must be a number'],
    [['--data-dir', dataDir, '--instruction-limit', 'update=0'], 'update|query|install|inspect=<number>'],
    [['--data-dir', dataDir, '--instruction-limit', 'constructor=7'], '--instruction-limit must'],
    [['--data-dir', dataDir, '--allow-host', 'http://a.example'], '--allow-host'],
    [['--data-dir', dataDir, '--canister-url', 'https://example.com/{canisterId}'], '--canister-url must'],
    [['--data-dir', dataDir, '--provisional', 'everybody'], '--provisional must'],
    [['--frobnicate'], '--frobnicate'],
  ] as const) {
    const child = start(...args);
    const output = child.stderr.toArray();
    expect(await end(child, () => undefined)).toBe(1);
    expect(Buffer.concat((await output) as Buffer[]).toString()).toContain(words);
  }
  const help = start('--help');
  const output = help.stdout.toArray();
  expect(await end(help, () => undefined)).toBe(0);
  expect(Buffer.concat((await output) as Buffer[]).toString()).toContain('--data-dir');
});
