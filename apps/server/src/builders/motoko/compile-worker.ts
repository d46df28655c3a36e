import { createRequire } from 'node:module';
import { posix } from 'node:path';
import { note, serve } from '../../thread/serve-thread.ts';
import { registryName } from '../packages/needs/dependency.ts';
import type { CompiledModule, CompileRequest } from './compile.ts';
import { type Diagnostic, diagnosticReport, isError, missingPackages } from './diagnostics.ts';
import { NOT_PERSISTENT } from '../source/flags.ts';
import { MANAGEMENT_ID, managementInterfaces } from './known-interfaces.ts';
import { compilationKey, keepCompilation, recallCompilation } from './kept-modules.ts';

/** The part of the npm package `motoko` that is used here; it brings no types for it. */
interface Compiler {
  write(path: string, content: string): void;
  usePackage(name: string, folder: string): void;
  clearPackages(): void;
  loadPackage(bundle: { name: string; version: string; files: unknown }): void;
  setPublicMetadata(names: string[]): void;
  setAliases(folder: string, principals: Readonly<Record<string, string>>): void;
  setExtraFlags(flags: string[]): void;
  compiler: {
    compileWasm(
      mode: 'ic',
      path: string,
    ): {
      diagnostics: Diagnostic[];
      code: { wasm: Uint8Array; candid: string; stable: string | null } | null;
    };
  };
}

/** Folder of the project in the compiler's own, in-memory file system. */
const PROJECT = 'project/';
/** Folder of the interfaces of imported canisters, by principal. */
const INTERFACES = 'interfaces';

const METADATA = ['candid:service', 'candid:args', 'motoko:stable-types'];

const load = createRequire(import.meta.url);

/** What has been told so far; this thread compiles one canister. */
const said: string[] = [];

function say(line: string): void {
  said.push(line);
  note(line);
}

/** What is compiled. */
interface Compilation {
  readonly request: CompileRequest;
  /** Texts by their paths. */
  readonly sources: ReadonlyMap<string, string>;
  /** Forms of the management canister's interface to try in order; none when nothing imports it, or the project brings it. */
  readonly management: readonly string[];
}

/** The sources do not compile. */
class NotCompiled extends Error {}

/** The libraries every project may import. base comes from the last release that carries it; one compiler serves both. */
function bundledLibraries(): Map<string, { name: string; version: string; files: unknown }> {
  return new Map([
    ['core', load('motoko/packages/latest/core.json')],
    ['base', load('motoko-3/packages/latest/base.json')],
  ]);
}

/** The name of a request by its result; where its files are makes no difference. */
function keyOf({ request, sources, management }: Compilation): string {
  const { kept: _kept, sources: _sources, ...settings } = request;
  return compilationKey({ metadata: METADATA, settings, management }, sources);
}

/** @param outdated packages of the project that the libraries which come with the compiler are used for instead */
function prepare({ request, sources }: Compilation, outdated: ReadonlySet<string>): Compiler {
  const compiler = load('motoko') as Compiler;
  const { version } = load('motoko/package.json') as { version: string };
  const libraries = bundledLibraries();
  const own = new Map(request.packages.filter(([name]) => !outdated.has(name)));
  const wanted = new Map(request.wanted);
  const shown: string[] = [];
  compiler.clearPackages();
  for (const [name, bundle] of libraries) {
    if (own.has(name)) continue;
    const version = bundle.version.replace(/^(?:v|moc-)/, '');
    shown.push(`${name} ${version}`);
    const aliases = [...(request.aliases ?? []), ...outdated].filter((one) => registryName(one) === name);
    for (const alias of new Set([name, ...aliases])) {
      compiler.loadPackage({ ...bundle, name: alias });
      const asked = wanted.get(alias);
      if (outdated.has(alias))
        say(
          `The project's ${alias} does not compile with this compiler; ${name} ${version} is used instead.`,
        );
      else if (asked !== undefined && asked !== '' && asked !== version)
        say(`${alias} ${asked} is wanted; ${name} ${version} is used.`);
    }
  }
  for (const [name, folder] of own) {
    compiler.usePackage(name, posix.join(PROJECT, folder));
    shown.push(`${name} (${folder})`);
  }
  say(`Motoko compiler of npm package motoko ${version}; libraries: ${shown.join(', ')}`);
  for (const [path, text] of sources) compiler.write(PROJECT + path, text);
  for (const { id, candid } of request.canisters) compiler.write(`${INTERFACES}/${id}.did`, candid);
  compiler.setAliases(INTERFACES, Object.fromEntries(request.canisters.map(({ name, id }) => [name, id])));
  compiler.setPublicMetadata(METADATA);
  return compiler;
}

/** Shows what the compiler says; a sentence about the first package that is not there, or null. */
function explain(request: CompileRequest, diagnostics: readonly Diagnostic[]): string | null {
  for (const text of diagnosticReport(diagnostics, PROJECT)) say(text);
  const wanted = new Map(request.wanted);
  const advice = new Map(request.missing);
  const sentences = missingPackages(diagnostics, PROJECT).map(({ name, importedBy }) => {
    const version = wanted.get(name);
    const named = `Package ${name}${version ? ` (version ${version})` : ''}, imported by ${importedBy}, is not available.`;
    const unnamed = `No mops.toml or vessel.dhall names it. Run 'mops add ${name}', commit mops.toml, and push.`;
    return `${named} ${advice.get(name) ?? unnamed}`;
  });
  for (const sentence of sentences.slice(1)) say(sentence);
  return sentences[0] ?? null;
}

async function compile(request: CompileRequest): Promise<CompiledModule> {
  const texts = [...request.sources].map(
    ([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')] as const,
  );
  const sources = new Map(texts);
  const compilation = { request, sources, management: managementFor(request, sources) };
  if (request.kept === null) return compileNow(compilation);
  const key = keyOf(compilation);
  const kept = await recallCompilation(request.kept, key);
  if (kept !== undefined) {
    for (const line of kept.notes) note(line);
    note(
      `Nothing in it has changed: the module compiled at ${kept.compiledAt.toISOString().slice(0, 16)}Z is used again.`,
    );
    return kept.module;
  }
  const module = compileNow(compilation);
  await keepCompilation(request.kept, key, module, said);
  return module;
}

function managementFor(
  { canisters }: CompileRequest,
  sources: ReadonlyMap<string, string>,
): readonly string[] {
  const isGiven = canisters.some(({ id }) => id === MANAGEMENT_ID);
  const isImported = [...sources.values()].some((text) => text.includes(`"ic:${MANAGEMENT_ID}"`));
  return isImported && !isGiven ? managementInterfaces() : [];
}

/** What the compiler made of one try. */
interface Outcome {
  readonly code: ReturnType<Compiler['compiler']['compileWasm']>['code'];
  readonly diagnostics: readonly Diagnostic[];
  readonly flags: readonly string[];
}

/** Tries the sets of flags in turn: another meaning of actors only when that is what the compiler objects to. */
function tryFlags(compiler: Compiler, { attempts, main }: CompileRequest): Outcome {
  let last: Outcome = { code: null, diagnostics: [], flags: [] };
  for (const flags of attempts) {
    compiler.setExtraFlags(flags);
    last = { ...compiler.compiler.compileWasm('ic', PROJECT + main), flags };
    const objectsToActors = last.diagnostics.some((one) => isError(one) && NOT_PERSISTENT.includes(one.code));
    if (last.code !== null || !objectsToActors) return last;
  }
  return last;
}

/** What the compiler says of a record that does not have the fields of a type. */
const OTHER_FIELDS: readonly string[] = ['M0151', 'M0096', 'M0098', 'M0215'];

/** Compiles with the interface of the management canister that the code was written for: today's, or an earlier form. */
function tryInterfaces(compiler: Compiler, { request, management }: Compilation): Outcome {
  let today: Outcome | undefined;
  for (const candid of management) {
    compiler.write(`${INTERFACES}/${MANAGEMENT_ID}.did`, candid);
    const outcome = tryFlags(compiler, request);
    if (outcome.code !== null) {
      if (today !== undefined)
        say('It was written for an earlier interface of the management canister; that one is used.');
      return outcome;
    }
    today ??= outcome;
    const { diagnostics } = outcome;
    const mayFit = diagnostics.some((one) => isError(one) && OTHER_FIELDS.includes(one.code));
    // No interface mends a library.
    if (!mayFit || outdatedPackages(request, diagnostics).length > 0) break;
  }
  // What is wrong in every form is told of today's.
  return today ?? tryFlags(compiler, request);
}

/** The project's copies of the libraries that come with the compiler which it finds errors in: they are for another one. */
function outdatedPackages({ packages }: CompileRequest, diagnostics: readonly Diagnostic[]): string[] {
  const bundled = bundledLibraries();
  const isIn = (folder: string) => (one: Diagnostic) =>
    isError(one) && one.source.startsWith(`${posix.join(PROJECT, folder)}/`);
  return packages
    .filter(([name, folder]) => bundled.has(registryName(name)) && diagnostics.some(isIn(folder)))
    .map(([name]) => name);
}

function compileNow(compilation: Compilation): CompiledModule {
  const { request } = compilation;
  const first = tryInterfaces(prepare(compilation, new Set()), compilation);
  const outdated = new Set(first.code === null ? outdatedPackages(request, first.diagnostics) : []);
  const { code, diagnostics, flags } =
    outdated.size === 0 ? first : tryInterfaces(prepare(compilation, outdated), compilation);
  say(`$ moc ${[...flags, request.main].join(' ')}`);
  if (code === null) {
    const missing = explain(request, diagnostics);
    const errors = diagnostics.filter(isError).length;
    throw new NotCompiled(missing ?? `The compiler found ${errors} error${errors === 1 ? '' : 's'}.`);
  }
  for (const text of diagnosticReport(diagnostics, PROJECT)) say(text);
  return { wasm: code.wasm, candid: code.candid, stableTypes: code.stable };
}

await serve(compile, [NotCompiled]);
