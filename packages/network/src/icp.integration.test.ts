import { createPrivateKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { AnonymousIdentity } from '@icp-sdk/core/agent';
import { Secp256k1KeyIdentity } from '@icp-sdk/core/identity/secp256k1';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileMotoko } from '../test/compile-motoko.ts';
import { sectionsOfChapter, Shell, writeProject } from '../test/icp/guide-walk.ts';
import { icpProgram } from '../test/icp/icp-program.ts';
import { CMC, CYCLES_LEDGER, ICP_LEDGER, OtherClient } from '../test/icp/other-client.ts';
import { NetworkProcess, runCommand } from '../test/network-process.ts';

/**
 * The chapter 'icp and Cannery', typed line by line with the real program. Nothing costs anything here, so that sums can be compared
 * to the cycle.
 */

const COUNTER = `import Debug "mo:core/Debug";
persistent actor {
  var n = 0;
  public func inc() : async Nat { n += 1; Debug.print("now " # debug_show n); n };
  public query func get() : async Nat { n };
}`;
const E8S = 100_000_000n;
const T = 1_000_000_000_000n;
const ICP_FEE = 10_000n;
const CYCLES_FEE = 100_000_000n;
/** Cycles for an e8. */
const RATE = 35_200n;
/** What the canister that recovers cycles leaves behind to be deleted (icp-cli `recover-cycles-canister`). */
const LEFT_BEHIND = 50_000_000_000n;
const NO_PROGRAM = 'npm has no icp for this machine, or cannot be reached';

const program = await icpProgram();
const sections = sectionsOfChapter();
const folder = mkdtempSync(join(tmpdir(), 'cannery-icp-'));
let network: NetworkProcess & { url: string };
let shell: Shell;
let anybody: OtherClient;
let ada: OtherClient;
const names = new Map<string, Principal>();
let counter: Principal;
/** Cycles that deleted canisters had left. */
let deleted = 0n;
/** Cycles of the network at first. */
let opening: bigint;

beforeAll(async () => {
  if (program === undefined) return;
  network = await NetworkProcess.start(join(folder, 'data'), '--services', 'default', '--fees', 'free');
  const project = join(folder, 'project');
  const bin = join(folder, 'bin');
  for (const each of [project, bin]) mkdirSync(each);
  symlinkSync(program, join(bin, 'icp'));
  writeProject(project, Number(new URL(network.url).port));
  writeFileSync(join(project, 'counter.wasm'), compileMotoko(COUNTER));
  const path = `${bin}${delimiter}${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
  shell = new Shell(project, {
    PATH: path,
    HOME: folder,
    ICP_HOME: join(folder, 'icp-home'),
    NO_COLOR: '1',
    DO_NOT_TRACK: '1',
  });
  anybody = await OtherClient.connect(network.url, new AnonymousIdentity());
  opening = await allCycles();
});
afterAll(async () => {
  await network?.end();
  rmSync(folder, { recursive: true, force: true });
});

const person = (name: string): Principal => {
  const principal = names.get(name);
  if (!principal) throw new Error(`${name} is not known yet`);
  return principal;
};
const icpOf = (name: string): Promise<bigint> => anybody.balance(ICP_LEDGER, person(name));
const cyclesOf = (name: string): Promise<bigint> => anybody.balance(CYCLES_LEDGER, person(name));
const valueOf = (name: string): string => shell.env[name] ?? '';
const canisterIn = (name: string): Principal => Principal.fromText(valueOf(name));

/** What all canisters have, with what those that are gone had left. */
async function allCycles(...others: readonly Principal[]): Promise<bigint> {
  const system = await Promise.all([CMC, ICP_LEDGER, CYCLES_LEDGER].map((id) => anybody.status(id)));
  const own = await Promise.all(others.map((id) => ada.status(id)));
  return [...system, ...own].reduce((sum, { cycles }) => sum + cycles, deleted);
}

/** The accounts there are, with all that the CMC has been paid and has not burned. */
async function expectSums(): Promise<void> {
  const anonymous = Principal.anonymous();
  for (const ledger of [ICP_LEDGER, CYCLES_LEDGER]) {
    const owners = [anonymous, person('ada'), person('bob'), CMC];
    const balances = await Promise.all(owners.map((owner) => anybody.balance(ledger, owner)));
    expect(balances.reduce((sum, each) => sum + each)).toBe(await anybody.supply(ledger));
  }
}

/** Runs what is typed, and says what it has added to a value. */
async function added(value: () => Promise<bigint>, type: () => Promise<string>): Promise<bigint> {
  const before = await value();
  await type();
  return (await value()) - before;
}

type Type = () => Promise<string>;

/** What a line must have done, seen from elsewhere. Each line of the chapter has its row. */
const EFFECTS: Readonly<Record<string, (type: Type) => Promise<void>>> = {
  'export ICP_ENVIRONMENT=cannery': async (type) => void expect(await type()).toBe('cannery'),
  'icp network list': async (type) => void expect(await type()).toContain('cannery'),
  'icp network ping cannery': async (type) => void expect(await type()).toContain('healthy'),
  'icp environment list': async (type) => void expect(await type()).toContain('cannery'),
  'icp project show': async (type) => void expect(await type()).toContain('counter'),
  'icp identity new ada --storage plaintext': async (type) => void (await type()),
  'icp identity new bob --storage plaintext': async (type) => void (await type()),
  'icp identity default ada': async (type) => void (await type()),
  'icp identity list': async (type) => void expect(await type()).toContain('* ada'),
  'icp identity principal': async (type) => {
    names.set('ada', Principal.fromText((await type()).trim()));
    names.set('bob', Principal.fromText((await shell.type('icp identity principal --identity bob')).trim()));
  },
  'icp identity account-id': async (type) => void expect(await type()).toMatch(/^[0-9a-f]{64}$/m),
  'icp identity export ada': async (type) => {
    const { d = '' } = createPrivateKey(await type()).export({ format: 'jwk' });
    const identity = Secp256k1KeyIdentity.fromSecretKey(new Uint8Array(Buffer.from(d, 'base64url')));
    expect(identity.getPrincipal().toText()).toBe(person('ada').toText());
    ada = await OtherClient.connect(network.url, identity);
  },

  'icp token transfer 100 "$(icp identity principal)" --identity anonymous': async (type) =>
    expect(await added(() => icpOf('ada'), type)).toBe(100n * E8S),
  'icp token balance': async (type) => void expect(await type()).toContain('100.00000000 ICP'),
  'icp cycles mint --icp 10': async (type) => {
    const icp = await icpOf('ada');
    expect(await added(() => cyclesOf('ada'), type)).toBe(10n * E8S * RATE - CYCLES_FEE);
    expect(await icpOf('ada')).toBe(icp - 10n * E8S - ICP_FEE);
  },
  'icp cycles mint --cycles 5t': async (type) => {
    const more = await added(() => cyclesOf('ada'), type);
    expect(more).toBeGreaterThanOrEqual(5n * T);
    expect(more).toBeLessThan(5n * T + RATE);
  },
  'icp cycles balance': async (type) => {
    const digits = (await type()).replaceAll('_', '');
    expect(digits).toContain(String(await cyclesOf('ada')));
  },
  'icp cycles transfer 2t "$(icp identity principal --identity bob)"': async (type) =>
    expect(await added(() => cyclesOf('bob'), type)).toBe(2n * T),
  'icp cycles balance --identity bob': async (type) =>
    void expect((await type()).replaceAll('_', '')).toContain(String(2n * T)),
  'icp token transfer 5 "$(icp identity principal --identity bob)"': async (type) =>
    expect(await added(() => icpOf('bob'), type)).toBe(5n * E8S),
  'icp token approve 2 "$(icp identity principal --identity bob)"': async (type) => {
    await type();
    expect(await anybody.allowance(ICP_LEDGER, person('ada'), person('bob'))).toBe(2n * E8S);
  },
  'icp token allowance "$(icp identity principal --identity bob)"': async (type) =>
    void expect(await type()).toContain('2'),
  'icp token um5iw-rqaaa-aaaaq-qaaba-cai balance': async (type) =>
    void expect(await type()).toMatch(/TCYCLES/),
  'icp token um5iw-rqaaa-aaaaq-qaaba-cai transfer 0.5 "$(icp identity principal --identity bob)"': async (
    type,
  ) => expect(await added(() => cyclesOf('bob'), type)).toBe(T / 2n),

  'icp build': async (type) => void (await type()),
  'icp deploy': async (type) => {
    const before = await cyclesOf('ada');
    const address = /http:\/\/a4gq6-oaaaa-aaaab-qaa4q-cai\.localhost:\d+\/\?id=([a-z0-9-]+)/.exec(
      await type(),
    );
    counter = Principal.fromText(address?.[1] ?? '');
    expect(await ada.count(counter)).toBe(0n);
    expect(await cyclesOf('ada')).toBe(before - (await ada.status(counter)).cycles - CYCLES_FEE);
    // The address below localhost, for a client that cannot look such names up.
    const page = await fetch(`${network.url}/?canisterId=a4gq6-oaaaa-aaaab-qaa4q-cai&id=${counter.toText()}`);
    expect(await page.text()).toContain('inc: () -&gt; (nat)');
  },
  'icp canister list': async (type) => void expect(await type()).toContain('counter'),
  'icp canister status counter': async (type) => {
    const { module_hash } = await ada.status(counter);
    expect(await type()).toContain(Buffer.from(module_hash[0] ?? []).toString('hex'));
  },
  "icp canister call counter inc '()'": async (type) =>
    expect(await added(() => ada.count(counter), type)).toBe(1n),
  "icp canister call counter get '()' --query": async (type) => void expect(await type()).toContain('1'),
  'icp canister logs counter': async (type) => void expect(await type()).toContain('now 1'),
  'icp canister metadata counter candid:service': async (type) =>
    void expect(await type()).toContain('inc: () -> (nat)'),

  'icp canister settings show counter': async (type) =>
    void expect(await type()).toContain(person('ada').toText()),
  'icp canister settings update counter --freezing-threshold 3000000': async (type) => {
    await type();
    expect((await ada.status(counter)).settings.freezing_threshold).toBe(3_000_000n);
  },
  'icp canister settings update counter --add-controller "$(icp identity principal --identity bob)" --force':
    async (type) => {
      await type();
      const { controllers } = (await ada.status(counter)).settings;
      expect(controllers.map(String).toSorted()).toEqual(
        [person('ada'), person('bob')].map(String).toSorted(),
      );
    },
  'icp canister settings sync counter': async (type) => {
    await type();
    expect((await ada.status(counter)).settings.controllers.map(String)).toContain(person('ada').toText());
  },
  'icp canister top-up counter --amount 1t': async (type) =>
    expect(await added(async () => (await ada.status(counter)).cycles, type)).toBe(T),
  'icp canister stop counter': async (type) => {
    await type();
    expect((await ada.status(counter)).status).toEqual({ stopped: null });
  },
  'icp canister start counter': async (type) => {
    await type();
    expect((await ada.status(counter)).status).toEqual({ running: null });
  },
  'SNAPSHOT=$(icp canister snapshot create counter --quiet)': async (type) => {
    await type();
    expect(await ada.snapshots(counter)).toEqual([valueOf('SNAPSHOT')]);
  },
  'icp canister snapshot list counter': async (type) =>
    void expect(await type()).toContain(valueOf('SNAPSHOT')),
  'icp canister snapshot restore counter "$SNAPSHOT"': async (type) => {
    await type();
    await shell.type('icp canister start counter');
    expect(await ada.count(counter)).toBe(1n);
    await shell.type('icp canister stop counter');
  },
  'icp canister snapshot download counter "$SNAPSHOT" --output saved': async (type) => void (await type()),
  'icp canister snapshot delete counter "$SNAPSHOT"': async (type) => {
    await type();
    expect(await ada.snapshots(counter)).toEqual([]);
  },
  'UPLOADED=$(icp canister snapshot upload counter --input saved --quiet)': async (type) => {
    await type();
    expect(await ada.snapshots(counter)).toEqual([valueOf('UPLOADED')]);
  },
  'icp canister install counter --mode upgrade --yes': async (type) => {
    await type();
    expect(await ada.count(counter)).toBe(1n);
  },
  'icp canister install counter --mode reinstall --yes': async (type) => {
    await type();
    expect(await ada.count(counter)).toBe(0n);
  },
  'icp deploy --yes': async (type) => {
    await type();
    expect(await ada.count(counter)).toBe(0n);
    expect(await allCycles(counter)).toBe(opening);
    await expectSums();
  },

  'PLAIN=$(icp canister create --detached --quiet)': async (type) => {
    const before = await cyclesOf('ada');
    await type();
    const { cycles } = await ada.status(canisterIn('PLAIN'));
    expect(await cyclesOf('ada')).toBe(before - cycles - CYCLES_FEE);
  },
  'BOUGHT=$(icp canister create --detached --with-icp 1 --quiet)': async (type) => {
    expect(await added(() => icpOf('ada'), type)).toBe(-E8S - ICP_FEE);
    expect((await ada.status(canisterIn('BOUGHT'))).cycles).toBe(E8S * RATE);
    expect(await allCycles(counter, canisterIn('PLAIN'), canisterIn('BOUGHT'))).toBe(opening);
  },
  'icp canister status "$PLAIN"': async (type) => void expect(await type()).toContain('Running'),
  'icp canister status "$BOUGHT"': async (type) => void expect(await type()).toContain('Running'),
  'icp canister delete "$PLAIN"': (type) => expectDeletion(canisterIn('PLAIN'), type, true),
  'icp canister delete "$BOUGHT" --no-recover-cycles': (type) =>
    expectDeletion(canisterIn('BOUGHT'), type, false),
  'icp canister delete counter': async (type) => {
    await expectDeletion(counter, type, true);
    expect(await allCycles()).toBe(opening);
    await expectSums();
    // All that was paid for was burned: nothing is left with the CMC.
    expect(await anybody.balance(ICP_LEDGER, CMC)).toBe(0n);
  },
};

async function expectDeletion(id: Principal, type: Type, isRecovered: boolean): Promise<void> {
  const { cycles } = await ada.status(id);
  const back = await added(() => cyclesOf('ada'), type);
  await expect(ada.status(id)).rejects.toThrow('not found');
  deleted += cycles - (back === 0n ? 0n : back + CYCLES_FEE);
  expect(back).toBe(isRecovered ? back : 0n);
  if (isRecovered) {
    expect(back).toBeGreaterThan(cycles - LEFT_BEHIND - T / 100n);
    expect(back).toBeLessThan(cycles);
  }
}

const walked = sections.filter(({ title }) => title !== 'Let icp start the network');

test('each command of the chapter has its effect here', { timeout: 300_000 }, async (context) => {
  context.skip(program === undefined, NO_PROGRAM);
  const lines = walked.flatMap(({ lines: each }) => each);
  expect(lines.filter((line) => /\bicp /.test(line)).length).toBeGreaterThanOrEqual(40);
  for (const line of lines) {
    const effect = EFFECTS[line];
    if (!effect) throw new Error(`The chapter has a line whose effect nothing looks at: ${line}`);
    await effect(() => shell.type(line));
  }
});

test('icp starts the network itself, by the launcher', { timeout: 120_000 }, async (context) => {
  context.skip(program === undefined, NO_PROGRAM);
  const lines = sections.find(({ title }) => title === 'Let icp start the network')?.lines ?? [];
  expect(lines).toHaveLength(5);
  const project = join(folder, 'managed');
  mkdirSync(project);
  writeFileSync(
    join(project, 'icp.yaml'),
    'canisters: []\nnetworks:\n  - name: local\n    mode: managed\n    gateway:\n      port: 0\n',
  );
  const { output, code } = await runCommand('icp-launcher', '--to', join(project, 'cannery-launcher'));
  expect(output).toContain('ICP_CLI_NETWORK_LAUNCHER_PATH=');
  expect(code).toBe(0);
  const managed = new Shell(project, { ...shell.env, ICP_ENVIRONMENT: 'local' });
  try {
    for (const line of lines.slice(1, 3)) await managed.type(line);
    const { gateway_url: url } = JSON.parse(await managed.type('icp network status --json')) as {
      gateway_url: string;
    };
    const client = await OtherClient.connect(url);
    expect(await client.balance(CYCLES_LEDGER, person('bob'))).toBe(1_000n * T);
    expect(await client.balance(ICP_LEDGER, person('bob'))).toBe(1_000_000n * E8S);
    expect(await managed.type(lines[3] ?? '')).toContain(new URL(url).port);
  } finally {
    await managed.type(lines[4] ?? '');
  }
});
