import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { CompilerSettings } from './compiler-flags.ts';

/**
 * A process that compiles Motoko: `argv` names the folder of the suite and the kind of persistence, which the compiler
 * takes once and for all, so that each kind has its own process.
 */

/** What this process is asked: compile `file`, whose text is `source`. */
export interface CompileRequest {
  readonly file: string;
  readonly source: string;
  readonly settings: CompilerSettings;
}

/** `wasm` in base64, or why there is none. */
export type CompileAnswer = { readonly wasm: string } | { readonly error: string };

interface Diagnostic {
  readonly severity: number;
  readonly code: string;
  readonly message: string;
}

interface Motoko {
  write(path: string, text: string): void;
  setAliases(folder: string, aliases: Readonly<Record<string, string>>): void;
  setExtraFlags(flags: readonly string[]): void;
  readonly compiler: {
    gcFlags(flag: string): void;
    setCandidPath(path: string): void;
    setActorAliases(aliases: readonly (readonly [string, string])[]): void;
    compileWasm(
      mode: 'ic',
      file: string,
    ): {
      readonly code: { readonly wasm: Uint8Array } | null;
      readonly diagnostics: readonly Diagnostic[];
    };
  };
}

const [suite = '', persistence = ''] = process.argv.slice(2);
const motoko: Motoko = createRequire(import.meta.url)('motoko');

/** Files other files import lie in the compiler's own file system. */
function writeImports(folder: string): void {
  for (const entry of readdirSync(join(suite, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !['ok', '_out'].includes(entry.name)) writeImports(path);
    else if (entry.isFile() && /\.(mo|did)$/.test(entry.name)) {
      motoko.write(path, readFileSync(join(suite, path), 'utf8'));
    }
  }
}

function compile({ file, source, settings }: CompileRequest): CompileAnswer {
  const { compiler } = motoko;
  try {
    motoko.setExtraFlags(['--legacy-actors', ...settings.flags]);
    compiler.gcFlags(settings.forceGc ? 'force' : 'scheduling');
    // Enhanced persistence has one collector only.
    if (persistence === 'classic') compiler.gcFlags(settings.incrementalGc ? 'incremental' : 'copying');
    compiler.setActorAliases(settings.aliases);
    compiler.setCandidPath(settings.candidFolder ?? '.');
    motoko.write(file, source);
    const { code, diagnostics } = compiler.compileWasm('ic', file);
    if (code) return { wasm: Buffer.from(code.wasm).toString('base64') };
    return { error: diagnostics.map(({ code, message }) => `${code}: ${message}`).join('; ') };
  } catch (error) {
    return { error: error instanceof Error ? error.message : JSON.stringify(error) };
  }
}

if (persistence === 'classic') motoko.compiler.gcFlags('classicOP');
writeImports('.');
process.on('message', (request: CompileRequest) => process.send?.(compile(request)));
process.send?.('ready');
