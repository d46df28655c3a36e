import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The files that make a dialog, and the two that all dialogs are made of. */
const dialogs = globSync('apps/console/src/**/*.tsx')
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  .filter(({ path, text }) => /<(?:Action)?Dialog\b/.test(text) || /ui\/(?:action-)?dialog\.tsx$/.test(path));

/** What turns the order of the screen against that of the keyboard. */
const TURNED = /(?<![\w-])(?:flex-(?:row|col)-reverse|-?order-(?:first|last|\d+|\[))/;

test('in no dialog does the screen have another order than the keyboard', () => {
  expect(dialogs.length).toBeGreaterThan(30);
  expect(dialogs.filter(({ text }) => TURNED.test(text)).map(({ path }) => path)).toEqual([]);
});

test('in every dialog with several buttons, what acts comes last', () => {
  const footers = dialogs.flatMap(({ path, text }) => {
    const from = text.indexOf('footer={\n');
    if (from === -1) return [];
    const [footer = ''] = text.slice(from).split('</>', 1);
    return [{ path, buttons: footer.match(/<Button\b[^>]*>/g) ?? [] }];
  });
  expect(footers.length).toBeGreaterThanOrEqual(3);
  for (const { path, buttons } of footers) {
    expect(buttons.length, path).toBeGreaterThan(1);
    for (const button of buttons.slice(0, -1)) expect(button, path).not.toMatch(/type="submit"|variant=/);
    expect(buttons.at(-1), path).toMatch(/type="submit"|variant="primary"/);
  }
});
