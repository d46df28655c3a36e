import type { Request } from '@playwright/test';
import { CanisterPage } from '../pages/canister-page.ts';
import { callsOf, holdCalls } from '../support/calls.ts';
import { createCanister, topUp } from '../support/canisters-of.ts';
import { test as base, expect } from '../support/product.ts';

interface Shown {
  readonly id: string;
  readonly canister: CanisterPage;
  /** Calls of the page for what was recorded of the canister. */
  readonly fetched: readonly Request[];
  /** Holds those that come from now on, until the function is called. */
  hold(): Promise<() => Promise<void>>;
}

/** The page of a canister, which hears news and shows all of them. */
const test = base.extend<{ shown: Shown }>({
  shown: async ({ page, product, user, signedIn: _signedIn }, use) => {
    const id = await createCanister(user.api, 'Shown');
    const canister = new CanisterPage(page);
    await page.goto(`${product.url}/ics/canister/${id}`);
    await expect(canister.fact('Cycles')).toContainText('2.00 T');
    const fetched = callsOf(page, 'GET', `/canister/status/${id}`);
    let tenths = 0;
    // What is told before the page listens is not fetched.
    const hears = async () => {
      await topUp(user.api, id, 0.1);
      tenths += 1;
      return fetched.length > 0;
    };
    await expect.poll(hears, { intervals: [500] }).toBe(true);
    await expect(canister.fact('Cycles')).toContainText(`${(2 + tenths / 10).toFixed(2)} T`);
    await use({ id, canister, fetched, hold: () => holdCalls(page, `**/api/canister/status/${id}`) });
  },
});

test('[CAND-03] a refresh asks the network also while the page fetches what was recorded', async ({
  page,
  user,
  shown: { id, canister, fetched, hold },
}) => {
  const release = await hold();
  const before = fetched.length;
  await topUp(user.api, id, 5);
  await expect.poll(() => fetched.length).toBeGreaterThan(before);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(canister.fact('Cycles')).toContainText('7.');
  await release();
});

test('[CAND-03] what changes during a refresh is shown after it', async ({
  page,
  user,
  shown: { id, canister, fetched, hold },
}) => {
  const release = await hold();
  await page.route(/real_time=true/, async (route) => {
    const answer = await route.fetch();
    const before = fetched.length;
    await topUp(user.api, id, 5);
    await expect.poll(() => fetched.length).toBeGreaterThan(before);
    await route.fulfill({ response: answer });
  });
  const isRefreshed = page.waitForResponse(/real_time=true/);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await isRefreshed;
  await release();
  await expect(canister.fact('Cycles')).toContainText('7.');
});
