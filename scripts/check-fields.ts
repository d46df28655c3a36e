// Ways to read or to copy that the console has one place for: the browser's own lose what was typed or fail without a word.
import { readFileSync } from 'node:fs';
import { isTest, sourceFiles } from './source-files.ts';

interface Rule {
  readonly pattern: RegExp;
  /** The one file that may. */
  readonly except?: string;
  readonly why: string;
}

const rules: readonly Rule[] = [
  {
    pattern: /type=["'{]+number\b|valueAsNumber/,
    why: 'a field of type number drops characters: take a text field and readDecimal.',
  },
  {
    pattern: /navigator\.clipboard|execCommand/,
    except: 'apps/console/src/components/ui/copy-button.tsx',
    why: 'use useCopy, which says so where the browser cannot copy.',
  },
  {
    pattern: /\b(?:Number|parseFloat|parseInt)\((?:event\.|target\.|currentTarget\.)/,
    why: 'what was typed is read by readDecimal.',
  },
];

let wrong = 0;
for (const file of sourceFiles(/^apps\/console\/src\/.*\.tsx?$/)) {
  if (isTest(file)) continue;
  const text = readFileSync(file, 'utf8');
  for (const { pattern, except, why } of rules) {
    if (file === except || !pattern.test(text)) continue;
    console.error(`${file}: ${why}`);
    wrong += 1;
  }
}
process.exit(wrong === 0 ? 0 : 1);
