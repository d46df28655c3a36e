import axeCore, { type AxeResults, type RunOptions } from 'axe-core';
import { expect, type Page } from '@playwright/test';

const softly = expect.configure({ soft: true });

/** The themes, the first as a page starts with it. */
const themes = ['default', 'secondary', 'success', 'dark'] as const;

/** What a theme can break: it changes colours and corners, nothing that the other rules look at. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Waits until everything that moves has arrived; a colour that still fades in would be measured half-way. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Spinners never arrive.
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.all(ending.map(({ finished }) => finished.catch(() => null)));
  });
}

/** What axe finds wrong with the page as it is now, as rule ids with the elements. */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The page's start: further down its bar lies over whatever happens to be there.
  await page.evaluate(() => window.scrollTo(0, 0));
  await settled(page);
  // An open menu floats outside the landmarks; that it should not is advice for texts, no rule of WCAG.
  const hasMenu = (await page.getByRole('menu').count()) > 0;
  // Its source is larger than most pages: it is read once a page, where AxeBuilder sends it at every look.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source);
  const options: RunOptions = {
    // WCAG 2.2 AA has target-size, which axe leaves out unless asked.
    rules: { 'target-size': { enabled: true }, region: { enabled: !hasMenu } },
    ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: [...rules] } }),
    resultTypes: ['violations'],
  };
  const { violations } = await page.evaluate((asked): Promise<AxeResults> => {
    const { axe } = window as unknown as { axe: typeof axeCore };
    // Ends of an open menu that are hidden because they hand the focus on at once; `keyboard.spec.ts` tabs over them.
    return axe.run({ exclude: ['[data-base-ui-focus-guard]'] }, asked);
  }, options);
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/** What axe finds wrong in each theme; the page keeps its state and has its own theme again afterwards. */
export async function violationsInThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  const before = await page.locator('html').getAttribute('data-theme');
  for (const theme of themes) {
    await showTheme(page, theme);
    const violations = await violationsOf(page, theme === 'default' ? undefined : COLOUR_RULES);
    found.push(...violations.map((violation) => `${theme}: ${violation}`));
  }
  await showTheme(page, before ?? 'default');
  return found;
}

function showTheme(page: Page, theme: string): Promise<void> {
  return page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name;
  }, theme);
}

/** Expects that the page is no wider than its window, once it has rearranged itself after a change of that. */
export async function expectFits(page: Page, name: string): Promise<void> {
  const overflow = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await softly.poll(overflow, { message: `${name}, wider than its window`, timeout: 25_000 }).toBe(0);
}
