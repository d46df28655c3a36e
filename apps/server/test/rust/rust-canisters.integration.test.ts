import { setTimeout as delay } from 'node:timers/promises';
import type { DeployAnswer } from '@cannery/contract';
import { Actor, CanisterStatus, HttpAgent } from '@icp-sdk/core/agent';
import type { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cert } from '../../src/picture/picture-host.testing.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { type CrateRegistry, startCrateRegistry } from './crate-registry.ts';
import { needsRust, rustHere } from './rust-here.ts';
import { COUNTER, counter, lockFile, manifest, TELLER, teller } from './rust-projects.ts';

/** How long the work after a run takes at most on a machine that does little else, in milliseconds. */
const AFTERWARDS_MS = 3_000;
const MOST_TRIES = 3;
/** For a test that may need these tries. */
const LIMIT_MS = 300_000;
const KEPT = 'Crates and what was compiled of them are those of an earlier run';

/** Any name of a method that one of the canisters has. */
interface Service {
  read(): Promise<number>;
  add(): Promise<number>;
  tell(): Promise<string>;
}

const service: IDL.InterfaceFactory = ({ IDL: idl }) =>
  idl.Service({
    read: idl.Func([], [idl.Nat32], ['query']),
    add: idl.Func([], [idl.Nat32], []),
    tell: idl.Func([], [idl.Text], ['query']),
  });

const CRATES = [
  { name: 'words', lib: 'pub fn word() -> &\'static str { "Hello" }\n' },
  {
    name: 'greeting',
    needs: ['words'],
    lib: 'pub fn greet(name: &str) -> String { format!("{}, {name}!", words::word()) }\n',
  },
];

describe.skipIf(rustHere === null)(`Rust canisters (${needsRust})`, () => {
  let client: DeployClient;
  let registry: CrateRegistry;
  let own: CrateRegistry;

  beforeAll(async () => {
    registry = await startCrateRegistry(CRATES);
    own = await startCrateRegistry(
      [{ name: 'secret-words', lib: 'pub const WORD: &str = "private";\n' }],
      true,
    );
    client = await startDeployClient({
      env: {
        RUST_TOOLCHAIN: rustHere?.folder ?? '',
        CRATES_INDEX_URL: registry.index,
        EGRESS_PRIVATE_HOSTS: new URL(own.index).host,
      },
    });
  }, 120_000);
  afterAll(async () => {
    await client?.dispose();
    registry?.close();
    own?.close();
  });

  const canistersOf = async (id: string): Promise<Record<string, string>> => {
    const { parts } = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
    return Object.fromEntries(parts.map((part) => [part.name ?? '', part.canister_id ?? '']));
  };
  const agent = (): Promise<HttpAgent> =>
    HttpAgent.create({ host: client.product.networkUrl, shouldFetchRootKey: true });
  const actorOf = async (canisterId: string): Promise<Service> =>
    Actor.createActor(service, { agent: await agent(), canisterId }) as unknown as Service;
  /** The metadata `candid:service` of a canister, as the network tells it. */
  const candidOf = async (id: string): Promise<unknown> => {
    const canisterId = Principal.fromText(id);
    const found = await CanisterStatus.request({ canisterId, agent: await agent(), paths: ['candid'] });
    return found.get('candid');
  };
  const completed = async (id: string): Promise<string> => {
    const run = await client.run(id);
    expect(run.status, run.logs ?? '').toBe('COMPLETED');
    return run.logs ?? '';
  };
  /** The log of a run that gets what an earlier one has left, which is there when the work after that one is done. */
  const completedAgain = async (id: string): Promise<string> => {
    for (let tries = 1; ; tries += 1) {
      await delay(AFTERWARDS_MS);
      registry.asked.splice(0);
      const logs = await completed(id);
      if (logs.includes(KEPT) || tries === MOST_TRIES) return logs;
    }
  };
  const failed = async (id: string): Promise<string> => {
    const run = await client.run(id);
    expect(run.status, run.logs ?? '').toBe('FAILED');
    return run.logs ?? '';
  };

  test('[DEP-16] the toolchain stands on /config and at the start', async () => {
    const config = await client.ada.call<{ rust: unknown }>('GET', '/config');
    expect(config.rust).toEqual({ version: rustHere?.version, wasm_target: true });
    expect(client.product.output()).toContain(`Rust canisters are compiled with Rust ${rustHere?.version} `);
  });

  test('[DEP-16] dfx.json: a Rust canister beside Motoko and a website, which read its interface from the module', async () => {
    const canisters = {
      counter: { type: 'rust', package: 'rust-counter', candid: 'missing.did' },
      asker: { main: 'asker.mo' },
      page: { type: 'assets', source: ['dist'], dependencies: ['counter'], build: ['node build.mjs'] },
    };
    const files = {
      'dfx.json': JSON.stringify({ canisters }),
      'Cargo.toml': manifest('rust-counter'),
      'Cargo.lock': lockFile([{ name: 'rust-counter' }]),
      'src/lib.rs': counter(COUNTER),
      'asker.mo': 'persistent actor { public query func read() : async Nat32 { 7 } }',
      'build.mjs':
        "import { cpSync, mkdirSync } from 'node:fs'; mkdirSync('dist'); cpSync('src/declarations/counter/counter.did', 'dist/index.html');",
    };
    await client.push('mixed', files);
    const id = await client.create('mixed', 'CUSTOM');
    const logs = await completed(id);
    expect(logs).toContain(
      '$ cargo build --locked --release --target wasm32-unknown-unknown -p rust-counter',
    );
    expect(logs).toContain('missing.did, the interface of counter, is not in the repository');
    const ids = await canistersOf(id);
    const actor = await actorOf(ids.counter ?? '');
    expect([await actor.read(), await actor.add(), await actor.add(), await actor.read()]).toEqual([
      0, 1, 2, 2,
    ]);
    expect(await candidOf(ids.counter ?? '')).toBe(COUNTER);
    const page = await fetch(`${client.product.networkUrl}/?canisterId=${ids.page}`);
    expect(await page.text()).toBe(COUNTER);
    expect(registry.asked).toEqual([]);
  });

  test(
    '[DEP-16] icp.yaml: crates come from the index, are locked, and are not fetched or compiled again',
    async () => {
      const files = (name: string): Record<string, string> => ({
        'icp.yaml': 'canisters:\n  - canisters/*\n',
        'canisters/host/canister.yaml':
          'name: host\nrecipe:\n  type: "@dfinity/rust@v3.1.0"\n  configuration:\n    package: host\n    candid: host.did\n',
        'Cargo.toml': '[workspace]\nmembers = ["canisters/*"]\n',
        'Cargo.lock': lockFile(
          [{ name: 'host', needs: ['greeting'] }],
          registry.locked('greeting') + registry.locked('words'),
        ),
        'canisters/host/Cargo.toml': manifest('host', ['greeting']),
        'canisters/host/src/lib.rs': teller(`greeting::greet("${name}")`),
        'canisters/host/host.did': `// Declared\n${TELLER}`,
      });
      await client.push('crates', files('Ada'));
      const id = await client.create('crates', 'CUSTOM');
      registry.asked.splice(0);
      expect(await completed(id)).toContain('$ cargo fetch --locked   (in canisters/host)');
      expect(registry.asked).toContain('/dl/words/1.0.0/download');
      const { host = '' } = await canistersOf(id);
      expect(await (await actorOf(host)).tell()).toBe('Hello, Ada!');
      // The declared text goes before that of the module.
      expect(await candidOf(host)).toBe(`// Declared\n${TELLER}`);

      await client.push('crates', files('Bob'));
      const second = await completedAgain(id);
      expect(second).toContain(KEPT);
      expect(second).not.toContain('cargo fetch');
      expect(second).not.toMatch(/Compiling words/);
      expect(registry.asked).toEqual([]);
      expect(await (await actorOf(host)).tell()).toBe('Hello, Bob!');

      // Another deploy of the same repository is given nothing of the first.
      const other = await client.create('crates', 'CUSTOM', { name: 'other' });
      expect(await completed(other)).toContain('Compiling words');
      expect(registry.asked).toContain('/dl/words/1.0.0/download');
    },
    LIMIT_MS,
  );

  test('[DEP-16] a lone Cargo workspace: each package with a cdylib is a canister', async () => {
    await client.push('lone', {
      'Cargo.toml': '[workspace]\nmembers = ["src/*"]\n',
      'Cargo.lock': lockFile([{ name: 'first-one' }, { name: 'helper' }, { name: 'second' }]),
      'src/first/Cargo.toml': manifest('first-one'),
      'src/first/src/lib.rs': counter(null),
      'src/first/first_one.did': COUNTER,
      'src/second/Cargo.toml': manifest('second'),
      'src/second/src/lib.rs': teller('"second"'),
      'src/helper/Cargo.toml': '[package]\nname = "helper"\nversion = "0.1.0"\n',
      'src/helper/src/lib.rs': '',
    });
    const id = await client.create('lone', 'CUSTOM');
    const logs = await completed(id);
    expect(logs).toContain('Canisters: first-one (Rust), second (Rust).');
    // Both from the one workspace, made ready once.
    expect(logs).toContain('-p first-one   (in src/first)');
    expect(logs).toContain('-p second   (in src/second)');
    const ids = await canistersOf(id);
    expect(await (await actorOf(ids['first-one'] ?? '')).add()).toBe(1);
    expect(await (await actorOf(ids.second ?? '')).tell()).toBe('second');
    expect(await candidOf(ids['first-one'] ?? '')).toBe(COUNTER);
  });

  test(
    'settings of a hostile project bring no other compiler, no other folder and nothing of the host',
    async () => {
      const { dataDir } = client.product;
      const probe = `use std::{fs, net::TcpStream, process::Command};
fn main() {
    let seen = fs::metadata("${dataDir}").is_ok() || fs::metadata("/root/.bashrc").is_ok();
    let reached = TcpStream::connect("${new URL(client.product.url).host}").is_ok();
    let ran = Command::new("sh").args(["-c", "echo ran"]).output().is_ok();
    let wrote = fs::write(std::env::var("RUSTC").unwrap(), "x").is_ok();
    println!("cargo:rustc-env=FOUND=seen {seen}, reached {reached}, ran {ran}, wrote {wrote}");
    fs::write(format!("{}/config.toml", std::env::var("CARGO_HOME").unwrap()), "[build]\\nrustflags = [\\"--bad\\"]\\n").unwrap();
}
`;
      const wrapper = '#!/bin/sh\necho "the wrapper ran" >&2\nexit 1\n';
      await client.push('hostile', {
        'Cargo.toml': `${manifest('teller')}\n[profile.release]\ndebug = true\n`,
        'Cargo.lock': lockFile([{ name: 'teller' }]),
        'src/lib.rs': teller('env!("FOUND")'),
        'build.rs': probe,
        'rust-toolchain.toml': '[toolchain]\nchannel = "nightly-2031-01-01"\n',
        'wrap.sh': wrapper,
        '.cargo/config.toml':
          '[build]\nrustc = "./wrap.sh"\nrustc-wrapper = "./wrap.sh"\ntarget-dir = "/tmp/elsewhere"\ntarget = "x86_64-unknown-linux-gnu"\n',
      });
      const id = await client.create('hostile', 'CUSTOM');
      const logs = await completed(id);
      expect(logs).toContain(
        `rust-toolchain asks for nightly-2031-01-01; the Rust ${rustHere?.version} of this server compiles it.`,
      );
      expect(logs).not.toContain('the wrapper ran');
      const { teller: canister = '' } = await canistersOf(id);
      expect(await (await actorOf(canister)).tell()).toBe('seen false, reached false, ran true, wrote false');
      // What the script has written for cargo does not come with what is kept.
      expect(await completedAgain(id)).toContain(KEPT);
    },
    LIMIT_MS,
  );

  test('a source outside the repository, and a package that is not there, are named', async () => {
    const files = {
      'dfx.json': JSON.stringify({ canisters: { one: { type: 'rust', package: 'one' } } }),
      'Cargo.toml': manifest('one', ['greeting']),
      'Cargo.lock': lockFile(
        [{ name: 'one', needs: ['greeting'] }],
        registry.locked('greeting') + registry.locked('words'),
      ),
      'src/lib.rs': counter(COUNTER),
      '.cargo/config.toml': `[source.crates-io]\nreplace-with = "host"\n[source.host]\ndirectory = "${client.product.dataDir}"\n`,
    };
    await client.push('outside', files);
    const id = await client.create('outside', 'CUSTOM');
    expect(await failed(id)).toMatch(/\nFailed: Fetching the crates failed with exit code 101\. The cause: /);

    await client.push('absent', {
      ...files,
      'dfx.json': JSON.stringify({ canisters: { one: { type: 'rust', package: 'two' } } }),
      'Cargo.toml': manifest('one'),
      'Cargo.lock': lockFile([{ name: 'one' }]),
      '.cargo/config.toml': '',
    });
    expect(await failed(await client.create('absent', 'CUSTOM'))).toMatch(
      /\nFailed: Compiling one failed with exit code 101\. The cause: the Cargo workspace has no package 'two'\. /,
    );
  });

  test('crates that are committed are taken from the repository, and without a lock file the log says so', async () => {
    await client.push('vendored', {
      'Cargo.toml': manifest('teller', ['words']),
      'src/lib.rs': teller('words::word()'),
      '.cargo/config.toml':
        '[source.crates-io]\nreplace-with = "committed"\n[source.committed]\ndirectory = "vendor"\n',
      'vendor/words/Cargo.toml': '[package]\nname = "words"\nversion = "1.0.0"\n',
      'vendor/words/src/lib.rs': 'pub fn word() -> &\'static str { "committed" }',
      'vendor/words/.cargo-checksum.json': '{"files":{},"package":null}',
    });
    registry.asked.splice(0);
    const id = await client.create('vendored', 'CUSTOM');
    expect(await completed(id)).toContain(
      'There is no Cargo.lock, so cargo takes the newest crates that fit.',
    );
    const { teller: canister = '' } = await canistersOf(id);
    expect(await (await actorOf(canister)).tell()).toBe('committed');
    expect(registry.asked).toEqual([]);
  });

  test('a private registry that the operator lists is reached, and one that is not is refused', async () => {
    const files = (index: string): Record<string, string> => ({
      'Cargo.toml': `${manifest('teller')}secret-words = { version = "1", registry = "own" }\n`,
      'src/lib.rs': teller('secret_words::WORD'),
      '.cargo/config.toml': `[registries.own]\nindex = "sparse+${index}/"\n[http]\ncainfo = "ca.pem"\n[net]\nretry = 0\n`,
      'ca.pem': cert,
    });
    await client.push('private', files(own.index));
    const id = await client.create('private', 'CUSTOM');
    await completed(id);
    const { teller: canister = '' } = await canistersOf(id);
    expect(await (await actorOf(canister)).tell()).toBe('private');
    expect(own.asked).toContain('/dl/secret-words/1.0.0/download');

    await client.push('unlisted', files('https://crates.invalid/index'));
    const logs = await failed(await client.create('unlisted', 'CUSTOM'));
    expect(logs).toContain('crates.invalid');
    expect(logs).toMatch(/\nFailed: Fetching the crates failed with exit code 101\. The cause: /);
  });

  test('what cargo cannot read or compile is the last line of the run', async () => {
    const files = {
      'Cargo.toml': manifest('broken'),
      'Cargo.lock': lockFile([{ name: 'broken' }]),
      'src/lib.rs': 'pub fn broken() -> u32 { "text" }',
    };
    await client.push('broken', files);
    expect(await failed(await client.create('broken', 'CUSTOM'))).toMatch(
      /\nFailed: Compiling broken failed with exit code 101\. The cause: error\[E0308\]: mismatched types\. /,
    );
    const [, minor = 0] = (rustHere?.cargoVersion ?? '').split('.').map(Number);
    // Cargo reads version 4 since 1.78.
    if (minor >= 78) return;
    await client.push('newer', { ...files, 'Cargo.lock': lockFile([{ name: 'broken' }], '', 4) });
    expect(await failed(await client.create('newer', 'CUSTOM'))).toMatch(
      /\nFailed: Fetching the crates failed with exit code 101\. The cause: Cargo\.lock is of version 4, which the cargo of this server is too old to read\. /,
    );
  });
});
