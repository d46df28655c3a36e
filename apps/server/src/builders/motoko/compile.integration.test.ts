import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { metadataSection } from '../../features/canister/code/wasm-sections.ts';
import { readPlan } from '../project/read-plan.ts';
import { type CompiledModule, compileMotoko } from './compile.ts';
import { filterFlags, flagAttempts } from '../source/flags.ts';
import { ownFiles } from '../tenant/own-files.ts';

const example = fileURLToPath(new URL('../../../../../examples/motoko-counter', import.meta.url));

let root: string;
let lines: string[];
let dropped: readonly string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cannery-compile-'));
  lines = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function compile(
  source: string | null,
  options: { timeoutMs?: number; signal?: AbortSignal; flags?: string[]; kept?: string } = {},
): Promise<CompiledModule> {
  if (source !== null) writeFileSync(join(root, 'main.mo'), source);
  const filtered = filterFlags(options.flags ?? []);
  dropped = filtered.dropped;
  const { sources: paths, packages } = await readPlan(ownFiles(root), { network: 'local' });
  const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path))]));
  const [[, packageSet] = []] = packages;
  if (packageSet === undefined) throw new Error('There is not a canister.');
  return compileMotoko(
    {
      kept: options.kept ?? null,
      main: 'main.mo',
      sources,
      attempts: flagAttempts(filtered.flags),
      ...packageSet,
      canisters: [],
    },
    {
      timeoutMs: options.timeoutMs ?? 120_000,
      signal: options.signal ?? new AbortController().signal,
      onLine: (line) => lines.push(line),
    },
  );
}

test('the starter template compiles, with its interface in the module and the compiler in the log', async () => {
  cpSync(join(example, 'src'), root, { recursive: true });
  const { wasm, candid } = await compile(null);
  expect(candid).toContain('inc: () -> (nat)');
  expect(Buffer.from(metadataSection(wasm, 'candid:service') ?? '').toString()).toContain(
    'get: () -> (nat) query',
  );
  expect(metadataSection(wasm, 'motoko:stable-types')).toBeDefined();
  expect(metadataSection(wasm, 'enhanced-orthogonal-persistence')).toBeDefined();
  expect(lines[0]).toMatch(
    /^Motoko compiler of npm package motoko \d+\.\d+\.\d+; libraries: core 2\.5\.0, base/,
  );
});

test('an error names file, line and column', async () => {
  await expect(compile('persistent actor {\n  public func f() : async Nat { "x" };\n}')).rejects.toThrow(
    '1 error',
  );
  expect(lines.find((line) => line.includes('error'))).toMatch(/^main\.mo:2:\d+: error M0050: /);
});

test('what has not changed is not compiled again, and says all it said the first time', async () => {
  const kept = join(root, '..', `kept-${crypto.randomUUID()}`);
  const source = 'persistent actor { public func f(unused : Nat) : async Nat { 1 } }';
  try {
    const first = await compile(source, { kept });
    const notes = lines.splice(0);
    expect(notes.join('\n')).toContain('unused');
    expect(await compile(source, { kept })).toEqual(first);
    expect(lines.slice(0, -1)).toEqual(notes);
    expect(lines.at(-1)).toMatch(
      /^Nothing in it has changed: the module compiled at \d{4}-\d\d-\d\dT\d\d:\d\dZ is used again\.$/,
    );

    const isAgain = async (text: string, flags: string[] = []): Promise<boolean> => {
      lines.splice(0);
      await compile(text, { kept, flags });
      return lines.some((line) => line.startsWith('Nothing in it'));
    };
    expect(await isAgain(source.replace('1', '2'))).toBe(false);
    expect(await isAgain(source, ['--hide-warnings'])).toBe(false);
    writeFileSync(join(root, 'other.mo'), 'module { }');
    expect(await isAgain(source), 'with another file').toBe(false);
    rmSync(join(root, 'other.mo'));
    expect(await isAgain(source)).toBe(true);
    await expect(compile('persistent actor {', { kept })).rejects.toThrow('error');
    await expect(compile('persistent actor {', { kept }), 'errors are not kept').rejects.toThrow('error');
    expect(readdirSync(kept)).toHaveLength(4);
  } finally {
    rmSync(kept, { recursive: true, force: true });
  }
});

test('a missing package is named with the file that imports it', async () => {
  writeFileSync(join(root, 'mops.toml'), '[dependencies]\njson = "1.4.0"\n');
  await expect(compile('import J "mo:json/Json"; persistent actor { }')).rejects.toThrow(
    'Package json (version 1.4.0), imported by main.mo, is not available. mops.toml names it.',
  );
});

test('an actor from before persistence compiles with its old meaning', async () => {
  await compile('actor { stable var n = 0; var t = 1; public func f() : async Nat { n += t; n } }', {
    flags: ['--incremental-gc', '--package', 'a', 'b'],
  });
  expect(lines.join('\n')).toContain('$ moc --legacy-actors main.mo');
  expect(dropped).toEqual(['--package a b']);
});

test('a library of the older base package compiles too', async () => {
  const { candid } = await compile(
    'import Nat "mo:base/Nat"; persistent actor { public query func t(n : Nat) : async Text { Nat.toText(n) } }',
  );
  expect(candid).toContain('t: (n: nat) -> (text) query');
});

test("a base of the project's that is for another compiler gives way to the one that comes with this", async () => {
  const base = join(root, '.mops/base@0.8.7/src');
  mkdirSync(base, { recursive: true });
  writeFileSync(join(root, 'mops.toml'), '[dependencies]\nbase = "0.8.7"\n');
  writeFileSync(join(base, 'Nat.mo'), 'module { public func toText(n : Nat) : Text { n } }');
  writeFileSync(join(base, 'Int.mo'), 'module { public func zero() : Int { 0 } }');
  const { candid } = await compile(
    'import Nat "mo:base/Nat"; persistent actor { public query func t(n : Nat) : async Text { Nat.toText(n) } }',
  );
  expect(candid).toContain('t: (n: nat) -> (text) query');
  const said = lines.join('\n');
  expect(said).toMatch(
    /The project's base does not compile with this compiler; base 0\.\d+\.\d+ is used instead\./,
  );
  expect(said, 'what was tried first has nothing to say').not.toContain('error');
  // One that compiles stays: nothing but it has this function.
  lines = [];
  await compile(
    'import Int "mo:base/Int"; persistent actor { public query func z() : async Int { Int.zero() } }',
  );
  expect(lines.join('\n')).toContain('base (.mops/base@0.8.7/src)');
  expect(lines.join('\n')).not.toContain('instead');
});

test.for([
  ['today', ', is_replicated = ?false', false],
  ['before non-replicated outcalls', '', true],
] as const)('the management canister can be imported, by code of %s', async ([_when, field, isEarlier]) => {
  const { candid } = await compile(`import IC "ic:aaaaa-aa"; persistent actor {
    public func ask() : async Nat {
      let asked : IC.http_request_args = {
        url = "https://example.org"; max_response_bytes = null; headers = []; body = null; method = #get;
        transform = null${field.replace(',', ';')}
      };
      (await (with cycles = 1) IC.http_request(asked)).status
    };
    public func make() : async Principal {
      (await IC.create_canister({
        settings = ?{
          controllers = null; compute_allocation = null; memory_allocation = null; freezing_threshold = null;
          reserved_cycles_limit = null; log_visibility = null; wasm_memory_limit = null; wasm_memory_threshold = null
          ${isEarlier ? '' : '; snapshot_visibility = null; environment_variables = null'}
        };
        sender_canister_version = null
      })).canister_id
    };
  }`);
  expect(candid).toContain('ask: () -> (nat)');
  const said = lines.join('\n');
  expect(said.includes('earlier interface of the management canister')).toBe(isEarlier);
  expect(said).not.toContain('error');
});

test('code that fits no interface of the management canister is measured by that of today', async () => {
  const wrong =
    'import IC "ic:aaaaa-aa"; persistent actor { public func f() : async () { await IC.start_canister({}) } }';
  await expect(compile(wrong)).rejects.toThrow('The compiler found 1 error.');
  expect(lines.join('\n')).toContain('canister_id');
});

test('nothing of the machine can be imported', async () => {
  await expect(
    compile('import X "/etc/passwd"; import Y "../../../etc/hosts"; persistent actor { }'),
  ).rejects.toThrow('error');
  expect(lines.join('\n')).toMatch(/M0009|M0012|M0003/);
  expect(lines.join('\n')).not.toContain('root:');
});

test('the time limit and a cancellation end the compiler', async () => {
  await expect(compile('persistent actor {}', { timeoutMs: 50 })).rejects.toThrow('took longer than');
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(new Error('cancelled')), 50);
  await expect(compile('persistent actor {}', { signal: cancel.signal })).rejects.toThrow('cancelled');
});
