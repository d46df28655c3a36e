import type { Page } from '@playwright/test';
import { SignInPage } from '../pages/sign-in-page.ts';
import { violationsOf } from '../support/accessibility.ts';
import { expect, test } from '../support/product.ts';

const LINE =
  "On this installation the button leads to Cannery's own sign-in page; no Google account is needed.";

async function toProvider(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByText('Sign in with Google').click();
  await expect(page.getByRole('heading', { name: 'Sign in to Cannery' })).toBeVisible();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
}

const accounts = (page: Page) =>
  page.getByRole('list', { name: 'Continue as' }).locator('button[name="login"]');

test('[AUTH-01] [OP-02] /login says where its button leads, where that is the own provider, and only there', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/login`);
  await expect(page.getByText(LINE)).toBeVisible();
  await expect(page.getByRole('main').locator('a, button')).toHaveText(['Sign in with Google']);
  await expect(page.getByRole('link', { name: 'Sign in with Google' })).toHaveAccessibleDescription(LINE);
  expect(await violationsOf(page)).toEqual([]);
  // The same page as a server with a real provider writes it.
  await page.route('**/login', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(
      '&quot;embedded&quot;:true},&quot;sample',
      '&quot;embedded&quot;:false},&quot;sample',
    );
    await route.fulfill({ response: answer, body });
  });
  await page.reload();
  await expect(page.getByText('Sign in with Google')).toBeVisible();
  await expect(page.getByText('On this installation')).toHaveCount(0);
});

test('the own sign-in page has the typeface and the theme of the console', async ({ page, product }) => {
  await toProvider(page, product.url);
  const look = () =>
    page.evaluate(async () => {
      await document.fonts.ready;
      const { fontFamily, backgroundColor } = getComputedStyle(document.body);
      return {
        fontFamily,
        backgroundColor,
        loaded: [...document.fonts].filter(({ status }) => status === 'loaded').length,
      };
    });
  const first = await look();
  expect(first).toMatchObject({ backgroundColor: 'rgb(247, 246, 243)', loaded: 1 });
  expect(first.fontFamily).toContain('Instrument Sans Variable');
  for (const [theme, colour] of [
    ['dark', 'rgb(17, 19, 23)'],
    ['secondary', 'rgb(250, 245, 247)'],
    ['success', 'rgb(241, 246, 240)'],
  ] as const) {
    await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme);
    await page.reload();
    expect((await look()).backgroundColor, theme).toBe(colour);
    expect(await violationsOf(page), theme).toEqual([]);
  }
});

test('the accounts that this browser has signed in with are offered, and forgotten when asked to', async ({
  page,
  context,
  product,
}, { workerIndex }) => {
  const [ada, grace] = [`Ada Łovelace ${workerIndex}`, `grace-${workerIndex}`];
  await toProvider(page, product.url);
  await expect(accounts(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Use another account' })).toHaveCount(0);

  // A name that is refused, and a sign-in that is cancelled, are no accounts.
  await page.getByLabel('Your name').fill('---');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText('A name needs at least one letter or digit.');
  await page.getByLabel('Your name').fill('Nobody');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL('**/login?error=*');

  const signIn = new SignInPage(page, product.url);
  for (const name of [ada, grace]) {
    await signIn.open();
    await signIn.signInAs(name);
    await signOut(page);
  }
  await toProvider(page, product.url);
  await expect(accounts(page)).toHaveText([new RegExp(`${grace}$`), new RegExp(`${ada}$`)]);
  await expect(accounts(page).first()).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Use another account' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  // One press, also on what was used longest ago.
  await accounts(page).nth(1).click();
  await page.waitForURL('**/ics/dashboard');
  await expect(page.getByText('Hi,').locator('..')).toContainText('Ada Łovelace');
  await signOut(page);

  // Cookies reach every port of the host: no name is in one.
  expect(JSON.stringify(await context.cookies())).not.toContain(encodeURIComponent('Łovelace'));
  expect(JSON.stringify(await context.cookies())).not.toContain(grace);

  await toProvider(page, product.url);
  await expect(accounts(page)).toHaveText([new RegExp(`${ada}$`), new RegExp(`${grace}$`)]);
  await page.getByRole('button', { name: `Forget ${ada}` }).click();
  await expect(accounts(page)).toHaveText([new RegExp(`${grace}$`)]);
  await expect(accounts(page)).toBeFocused();
  await page.reload();
  await expect(accounts(page)).toHaveText([new RegExp(`${grace}$`)]);
  await page.getByRole('button', { name: `Forget ${grace}` }).click();
  await expect(accounts(page)).toHaveCount(0);
  await expect(page.getByLabel('Your name')).toBeFocused();
  await page.reload();
  await expect(accounts(page)).toHaveCount(0);
});

test('what stands in the storage of the browser is text to the own sign-in page, whatever it is', async ({
  page,
  product,
}) => {
  await toProvider(page, product.url);
  for (const kept of [
    '{',
    '7',
    '[1,null,{"a":1}]',
    JSON.stringify(['<img src=x onerror=alert(1)>', 'x'.repeat(10_000)]),
  ]) {
    await page.evaluate((text) => localStorage.setItem('sign-in-accounts', text), kept);
    await page.reload();
    await expect(page.getByLabel('Your name'), kept.slice(0, 20)).toBeVisible();
    await expect(page.locator('main img')).toHaveCount(0);
  }
  await expect(accounts(page)).toHaveCount(1);
  await expect(accounts(page)).toContainText('<img src=x onerror=alert(1)>');
});
