import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Persistence } from './compiler-flags.ts';
import { scriptOfFile, scriptOfSource } from './drun-script.ts';

/** A test of the suite in one kind of persistence. */
export interface SuiteTest {
  /** Name of its file. */
  readonly name: string;
  readonly persistence: Persistence;
  readonly script: string;
  /** Text of each source file the script installs, by the name the script uses. */
  readonly sources: ReadonlyMap<string, string>;
  /** Modules of the suite the script installs, in the same way. */
  readonly prebuilt: ReadonlyMap<string, Uint8Array>;
  readonly applicationSubnet: boolean;
  readonly forceGc: boolean;
  readonly incrementalGc: boolean;
  /** The expected output; empty where the suite has no file for it. */
  readonly expected: string;
  /** Why it cannot run here, known without compiling it. */
  readonly skip: string | undefined;
}

/** The folder does not hold the suite. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}

/** Folder of the suite in a checkout of dfinity/motoko (or in its `test` folder, or the folder itself); throws `SuiteError`. */
export function findSuite(folder: string): string {
  const found = ['test/run-drun', 'run-drun', '.']
    .map((path) => join(folder, path))
    .find((path) => basename(path) === 'run-drun' && existsSync(join(path, 'ok')));
  if (!found) throw new SuiteError(`${folder} holds no test/run-drun`);
  return found;
}

/** Every test of the folder, in the order of its names. */
export function readSuite(folder: string, persistence: Persistence): SuiteTest[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      if (name.endsWith('.mo')) return [readSource(folder, name, persistence)];
      if (name.endsWith('.drun')) return [readScript(folder, name, persistence)];
      return [];
    });
}

function readSource(folder: string, name: string, persistence: Persistence): SuiteTest {
  const base = basename(name, '.mo');
  const text = readFileSync(join(folder, name), 'utf8');
  // The suite turns self-calls after the actor into calls of the script.
  const source = text.replaceAll(/^.*\/\/OR-CALL/gm, '//CALL');
  const has = (line: string): boolean => new RegExp(`^//${line}$`, 'm').test(text);
  return {
    name,
    persistence,
    script: scriptOfSource(source, name),
    sources: new Map([[name, source]]),
    prebuilt: new Map(),
    applicationSubnet: false,
    forceGc: !text.includes('//MOC-NO-FORCE-GC'),
    incrementalGc: text.includes('//INCREMENTAL-GC-ONLY'),
    expected: readExpected(folder, `${base}.drun-run.ok`),
    skip:
      noRunStep(folder, base, has) ??
      otherPersistence(text, '//', persistence) ??
      otherCollector(text, '//', persistence) ??
      (text.includes('-measure-rts-stack') ? 'the flag -measure-rts-stack' : undefined),
  };
}

function noRunStep(folder: string, base: string, has: (line: string) => boolean): string | undefined {
  if (existsSync(join(folder, 'ok', `${base}.tc.ret.ok`)))
    return 'the suite expects that it does not compile';
  if (existsSync(join(folder, 'ok', `${base}.comp.ret.ok`)))
    return 'the suite expects that it does not compile';
  const left = ['tc', 'comp', 'drun-run'].find((step) => has(`SKIP ${step}`));
  return left && 'the suite leaves out its run';
}

function readScript(folder: string, name: string, persistence: Persistence): SuiteTest {
  const base = basename(name, '.drun');
  const text = readFileSync(join(folder, name), 'utf8');
  const files = new Set(text.match(/\S+\.mo/g));
  const sources = new Map(
    [...files].map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const),
  );
  const modules = text.match(/\S+\.wasm/g) ?? [];
  const astray = [...files].find((file) => dirname(file) !== base);
  const applicationSubnet = text.includes('# APPLICATION-SUBNET');
  return {
    name,
    persistence,
    script: scriptOfFile(text, applicationSubnet),
    sources,
    prebuilt: new Map(
      modules.map((file) => [file, new Uint8Array(readFileSync(join(folder, file)))] as const),
    ),
    applicationSubnet,
    forceGc: false,
    incrementalGc: text.includes('# INCREMENTAL-GC-ONLY'),
    expected: readExpected(folder, `${base}.drun.ok`),
    skip:
      (astray && `it names a file outside its folder: ${astray}`) ??
      (/# *SKIP drun/.test(text) ? 'the suite leaves out its run' : undefined) ??
      otherPersistence(text, '# ', persistence) ??
      otherCollector(text, '# ', persistence),
  };
}

function otherPersistence(text: string, mark: string, persistence: Persistence): string | undefined {
  const other =
    persistence === 'classic' ? 'ENHANCED-ORTHOGONAL-PERSISTENCE-ONLY' : 'CLASSICAL-PERSISTENCE-ONLY';
  return text.includes(`${mark}${other}`) ? 'for the other kind of persistence' : undefined;
}

/** The incremental collector is a choice under classical persistence only. */
function otherCollector(text: string, mark: string, persistence: Persistence): string | undefined {
  return persistence === 'enhanced' && text.includes(`${mark}INCREMENTAL-GC-ONLY`)
    ? 'for the incremental collector of classical persistence'
    : undefined;
}

function readExpected(folder: string, file: string): string {
  const path = join(folder, 'ok', file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
