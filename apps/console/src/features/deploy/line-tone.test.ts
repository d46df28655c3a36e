import { expect, test } from 'vitest';
import { lineTone } from './line-tone.ts';

test.each([
  ['==> Checking out main of ada/site', 'step'],
  ['==>', 'plain'],
  ["Failed: there is no folder 'dist'.", 'failure'],
  ['Deployment Failed!', 'failure'],
  ['Warning: builds are not contained', 'warning'],
  ['3 tests. Failed: 1', 'plain'],
  ['', 'plain'],
])('%j is %s', (line, tone) => {
  expect(lineTone(line)).toBe(tone);
});
