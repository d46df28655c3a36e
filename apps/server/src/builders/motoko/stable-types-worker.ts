import { createRequire } from 'node:module';
import { serve } from '../../thread/serve-thread.ts';
import { type Diagnostic, isError } from './diagnostics.ts';
import type { StableTypesRequest, StableTypesResult } from './stable-types.ts';

/** The part of the npm package `motoko` that is used here; it brings no types for it. */
interface Compiler {
  write(path: string, content: string): void;
  compiler: {
    stableCompatible(installed: string, next: string): { diagnostics: (Diagnostic & { category: string })[] };
  };
}

/** A complaint of the compiler as one sentence on one line. */
function sentenceOf(message: string): string {
  const line = message
    .replace(/,? please see https?:\S+/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.:!?]$/.test(line) ? '' : '.'}`;
}

function compare({ installed, next }: StableTypesRequest): StableTypesResult {
  const compiler = createRequire(import.meta.url)('motoko') as Compiler;
  compiler.write('installed.most', installed);
  compiler.write('next.most', next);
  const { diagnostics } = compiler.compiler.stableCompatible('installed.most', 'next.most');
  const errors = diagnostics.filter(isError);
  const other = errors.find(({ category }) => category !== 'Compatibility');
  if (other !== undefined) return { failure: sentenceOf(other.message).replace(/\.$/, '') };
  return { errors: errors.map(({ message }) => sentenceOf(message)) };
}

await serve(compare, []);
