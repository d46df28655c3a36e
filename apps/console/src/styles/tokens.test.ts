import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { themes, type Theme } from '../lib/browser/theme.ts';
import { BELOW_MEDIUM } from '../lib/browser/use-size.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const css = read('./tokens.css');

/** The tokens of a theme, in the order of the style sheet, as they are on the page or in its top bar. */
function tokensOf(theme: Theme, place: 'page' | 'bar' = 'page'): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const [, selectors = '', body = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!selectors.includes(':root') && !selectors.includes(`"${theme}"`)) continue;
    if (place === 'page' && selectors.includes('.bar')) continue;
    for (const [, name = '', value = ''] of body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g))
      tokens.set(name, value);
  }
  return tokens;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const textPairs = [
  ...['ink', 'muted', 'accent', 'ok', 'warn', 'bad', 'info'].flatMap((ink) =>
    ['page', 'surface', 'raised'].map((ground) => [ink, ground] as const),
  ),
  ...['ink', 'muted'].map((ink) => [ink, 'sunken'] as const),
  ...['accent', 'ok', 'warn', 'bad', 'info'].map((ink) => [ink, `${ink}-soft`] as const),
  ...['accent-soft', 'ok-soft', 'warn-soft', 'bad-soft', 'info-soft'].map(
    (ground) => ['ink', ground] as const,
  ),
  ['muted', 'info-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['on-bad', 'bad'],
  ['on-bad', 'bad-strong'],
  ['page', 'ink'],
  ...[
    'log-ink',
    'log-muted',
    ...['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'].map((name) => `ansi-${name}`),
  ].map((ink) => [ink, 'log'] as const),
] as const;

const controlPairs = ['page', 'surface', 'raised'].map((ground) => ['control', ground] as const);

describe.each(themes)('theme %s', (theme) => {
  const tokens = tokensOf(theme);
  const ratio = (one: string, other: string): number =>
    contrast(tokens.get(one) ?? '', tokens.get(other) ?? '');

  test.each(textPairs)('%s on %s reads with 4.5:1', (ink, ground) => {
    expect(ratio(ink, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each([
    ...['ink', 'muted', 'accent'].flatMap((ink) =>
      ['page', 'surface'].map((ground) => [ink, ground] as const),
    ),
    ['accent', 'accent-soft'] as const,
    ['on-accent', 'accent'] as const,
  ])('%s on %s reads with 4.5:1 in the top bar', (ink, ground) => {
    const bar = tokensOf(theme, 'bar');
    expect(contrast(bar.get(ink) ?? '', bar.get(ground) ?? '')).toBeGreaterThanOrEqual(4.5);
  });

  test.each(controlPairs)('%s on %s shows with 3:1', (edge, ground) => {
    expect(ratio(edge, ground)).toBeGreaterThanOrEqual(3);
  });
});

test('[NAV-26] each theme is a look of its own, dark the only dark one', () => {
  const accents = themes.map((theme) => tokensOf(theme).get('accent'));
  expect(new Set(accents).size).toBe(themes.length);
  const dark = themes.filter((theme) => luminance(tokensOf(theme).get('page') ?? '') < 0.2);
  expect(dark).toEqual(['dark']);
});

test('[CONST-09] entrances last 1000 ms, and not with reduced motion', () => {
  const global = read('./global.css');
  expect(global).toContain('--motion: 1000ms');
  expect(global).toMatch(/prefers-reduced-motion: reduce[\s\S]*animation: none !important/);
});

test('[NAV-25] script and style sheet agree on the medium breakpoint', () => {
  const [, width] = /--breakpoint-md: (\d+px)/.exec(read('./theme.css')) ?? [];
  expect(BELOW_MEDIUM).toBe(`(width < ${width})`);
});
