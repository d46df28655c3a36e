import type { Page } from '@playwright/test';
import { createCanister } from '../support/canisters-of.ts';
import { failCalls } from '../support/calls.ts';
import { expect, test } from '../support/product.ts';

interface Drawing {
  readonly of: string;
  readonly lines: string;
  readonly colours: readonly string[];
}

/** The drawings on the page, with the colours of their lines. */
const drawingsOf = (page: Page): Promise<Drawing[]> =>
  page.locator('svg[data-drawing]').evaluateAll((all) =>
    all.map((svg) => ({
      of: svg.getAttribute('data-drawing') ?? '',
      lines: svg.innerHTML,
      colours: [
        ...new Set([...svg.querySelectorAll('*')].map((part) => getComputedStyle(part).stroke)),
      ].sort(),
    })),
  );

test('each empty list has its own drawing, in the colours of the theme', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const lists: readonly [string, string, string][] = [
    ['/ics/canisters', 'Deploy your first Canister on Internet Computer', 'canisters'],
    ['/ics/canisters', "You haven't deployed anything yet.", 'deploys'],
    ['/ics/registries', "You haven't added any registry yet.", 'registries'],
    ['/ics/marketplace', 'No DApp found.', 'marketplace'],
    ['/ics/account', 'No Transactions To Show', 'records'],
    ['/ics/deploy?type=STATIC_SITE', 'Connect a repository', 'repositories'],
  ];
  // Others share the marketplace, and every account begins with a transaction: these two lists are empty when they cannot be loaded.
  await failCalls(page, /\/api\/marketplace/, 500);
  await failCalls(page, /\/api\/transactions/, 500);
  await page.goto(`${product.url}/login`);
  for (const theme of ['default', 'dark']) {
    await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme);
    const seen = new Map<string, string>();
    for (const [address, text, of] of lists) {
      await page.goto(product.url + address);
      await expect(page.getByText(text).first(), address).toBeVisible();
      const drawing = (await drawingsOf(page)).find((one) => one.of === of);
      expect(drawing, `${address}: ${text}`).toBeDefined();
      // Quiet lines and one accent, both of the theme.
      const [accent, muted] = await page.evaluate(() => {
        const probe = document.createElement('span');
        document.body.append(probe);
        const colours = ['--accent', '--muted'].map((name) => {
          probe.style.color = `var(${name})`;
          return getComputedStyle(probe).color;
        });
        probe.remove();
        return colours;
      });
      expect(drawing?.colours, `${theme} ${of}`).toContain(accent);
      expect(drawing?.colours, `${theme} ${of}`).toHaveLength(2);
      expect(muted).toBeDefined();
      seen.set(of, drawing?.lines ?? '');
    }
    expect(new Set(seen.values()).size).toBe(6);
  }
});

test('the lists of a canister that has done nothing, and a search that finds nothing, have drawings of theirs', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Quiet');
  await page.goto(`${product.url}/ics/canister/${id}?tab=logs`);
  await expect(page.getByText('The canister has printed nothing')).toBeVisible();
  expect((await drawingsOf(page)).map(({ of }) => of)).toEqual(['records']);
  await page.goto(`${product.url}/ics/canisters?q=nothing-like-it`);
  await expect(page.getByText('No canister matches')).toBeVisible();
  expect((await drawingsOf(page)).map(({ of }) => of)).toContain('search');
});
