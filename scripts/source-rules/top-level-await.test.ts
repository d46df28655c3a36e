import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isTest, sourceFiles } from '../source-files.ts';

/** A statement at the top of a module that waits, as our formatter writes it. */
const WAITS = /^(?:await |for await |\} = await |(?:export )?(?:const|let) [^\n]*= await )/m;
/** What a module loads; types are gone by then. */
const IMPORTS = /^(?:import ['"]|(?:import|export)\b(?! type\b)[^'"`;]*?\bfrom\s*['"])(\.[^'"]+)['"]/gm;
/** Programs of which the source has only the text. */
const TEXTS = /`[^`]*`/g;

/** Modules that others import and that wait at their top, with who imports them. */
function waitingModules(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(IMPORTS)].flatMap(([, to = '']) => {
      const target = path.join(path.dirname(file), to);
      return WAITS.test(sources.get(target)?.replaceAll(TEXTS, '') ?? '')
        ? [`${file} imports ${target}`]
        : [];
    }),
  );
}

test('no module that another one imports waits at its top: V8 may end the process with a thread that loads both', () => {
  const files = sourceFiles(/\.tsx?$/).filter((file) => !isTest(file));
  expect(files.length).toBeGreaterThan(1_000);
  const sources = new Map(files.map((file) => [path.normalize(file), readFileSync(file, 'utf8')]));
  expect(waitingModules(sources)).toEqual([]);
});

test('such a module is found', () => {
  const user = ['a/user.ts', "import { x } from './sub/curve.ts';\n"] as const;
  for (const text of ['await init();\n', 'export const x = await y;\n', 'const {\n  x,\n} = await y;\n'])
    expect(waitingModules(new Map([user, ['a/sub/curve.ts', text]]))).toEqual([
      'a/user.ts imports a/sub/curve.ts',
    ]);
  const inside = 'export async function open() {\n  await init();\n}\n';
  expect(waitingModules(new Map([user, ['a/sub/curve.ts', inside]]))).toEqual([]);
});
