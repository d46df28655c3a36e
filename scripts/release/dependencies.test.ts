import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Direct dependencies of the server at run time; workspaces of this project are not counted, aliases are. */
const MOST = 25;

test(`the server has at most ${MOST} direct dependencies at run time`, () => {
  const { dependencies } = JSON.parse(readFileSync('apps/server/package.json', 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const ofOthers = Object.keys(dependencies).filter((name) => !name.startsWith('@cannery/'));
  expect(ofOthers.length, ofOthers.join(', ')).toBeLessThanOrEqual(MOST);
});
