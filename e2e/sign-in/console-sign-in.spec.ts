import type { Page } from '@playwright/test';
import { expect, test } from '../support/product.ts';

test.use({ settings: { NETWORK_SERVICES: 'internet-identity', SIGN_IN_INTERNET_IDENTITY: 'on' } });

const offer = (page: Page) => page.getByRole('button', { name: 'Sign in with Internet Identity' });

async function openProvider(page: Page): Promise<Page> {
  // A window of an earlier sign-in that is still closing would be opened again: its name is always the same.
  await expect.poll(() => page.context().pages().length).toBe(1);
  const [popup] = await Promise.all([page.waitForEvent('popup'), offer(page).click()]);
  return popup;
}

/** Whom the service takes this page for. */
const whoami = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem('token')}`;
    const profile = (await (await fetch('/api/user/profile', { headers: { authorization } })).json()) as {
      id: string;
    };
    return profile.id;
  });

test('the same account signs in twice, and another one is somebody else', async ({ page, product }) => {
  test.slow();
  await page.goto(`${product.url}/ics/registries`);
  await expect(page).toHaveURL(/\/login$/);
  const popup = await openProvider(page);
  await popup.getByLabel('Name').fill('alice');
  await popup.getByRole('button', { name: 'Continue', exact: true }).click();
  // Back where the visitor wanted to go.
  await expect(page).toHaveURL(`${product.url}/ics/registries`);
  const first = await whoami(page);
  const kept = await page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...(await indexedDB.databases()).map(({ name }) => name),
  ]);
  // Of the key and its delegation nothing stays.
  expect(kept.filter((name) => name?.startsWith('ic-') || name?.includes('auth'))).toEqual([]);

  const signOut = async () => {
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${product.url}/login`);
  };
  await signOut();
  const again = await openProvider(page);
  await again.getByRole('button', { name: /alice Name/ }).click();
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
  expect(await whoami(page)).toBe(first);

  await signOut();
  const other = await openProvider(page);
  await other.getByLabel('Name').fill('bob');
  await other.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
  expect(await whoami(page)).not.toBe(first);
});

test('a window that is closed signs nobody in, and the button can be pressed again', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/login`);
  const popup = await openProvider(page);
  await expect(popup.getByLabel('Name')).toBeVisible();
  await popup.close();
  await expect(page.getByRole('alert')).toHaveText('The sign-in was cancelled.');
  await expect(offer(page)).toBeEnabled();
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('both choices are alike at any width, and nothing moves when the second one comes', async ({
  page,
  product,
}) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${product.url}/login`);
    const google = page.getByRole('link', { name: 'Sign in with Google' });
    const before = await google.boundingBox();
    await expect(offer(page)).toBeVisible();
    const [one, two] = [await google.boundingBox(), await offer(page).boundingBox()];
    expect(one).toEqual(before);
    expect([two?.x, two?.width, two?.height]).toEqual([one?.x, one?.width, one?.height]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('at another address of the console the button leads to its own, for which principals are made', async ({
  page,
  product,
}) => {
  const { port } = new URL(product.url);
  await page.goto(`http://127.0.0.1:${port}/login`);
  await page.getByRole('link', { name: `Internet Identity at localhost:${port}` }).click();
  await expect(page).toHaveURL(`${product.url}/login`);
  await expect(offer(page)).toBeVisible();
});
