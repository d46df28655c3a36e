import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signInStyle, signInTokens, typefaceOf } from './sign-in-style.ts';

const css = readFileSync('apps/console/src/styles/tokens.css', 'utf8');

/** The declarations of the console's tokens, by theme: of the light ones, 'default' has what all have in common. */
function tokensOf(theme: string): ReadonlyMap<string, string> {
  const [common = '', ...blocks] = css.split('}');
  const selector = new RegExp(`\\n\\[data-theme="${theme}"\\] \\{`);
  const body = theme === 'default' ? common : (blocks.find((block) => selector.test(block)) ?? '');
  return new Map(
    [...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

test('the sign-in page has the colours and corners of the console, in every theme', () => {
  for (const [theme, tokens] of Object.entries(signInTokens)) {
    const own = tokensOf(theme);
    expect(own.size, theme).toBeGreaterThan(8);
    for (const [name, value] of Object.entries(tokens)) expect(own.get(name), `${theme} ${name}`).toBe(value);
  }
});

test('without a built console the page has no typeface, and a style all the same', async () => {
  expect(await typefaceOf('/no/such/folder')).toEqual([]);
  expect(signInStyle([])).not.toContain('@font-face');
  expect(signInStyle([{ address: '/assets/x.woff2', letters: 'U+0000-00FF' }])).toContain(
    'url(/assets/x.woff2)',
  );
});
