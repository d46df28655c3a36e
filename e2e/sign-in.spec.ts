import { SignInPage } from './pages/sign-in-page.ts';
import { expect, test } from './product.ts';

const protectedRoutes = [
  '/ics/dashboard',
  '/ics/canisters',
  '/canisters',
  '/ics/canister/abc',
  '/ics/account',
  '/ics/deploy',
  '/ics/deploy/x',
];

for (const route of protectedRoutes) {
  test(`[AUTH-06] a signed-out visitor of ${route} is sent to /login`, async ({ page, product }) => {
    await page.goto(product.url + route);
    await expect(page).toHaveURL(`${product.url}/login`);
  });
}

test("[AUTH-01] the only choice of /login is 'Sign in with Google'", async ({ page, product }) => {
  await page.goto(`${product.url}/login`);
  await expect(page.getByText('Sign in with Google')).toBeVisible();
  await expect(page.locator('input')).toHaveCount(0);
});

test('[AUTH-12] [AUTH-14] [AUTH-13] a session is kept in local storage until Sign Out', async ({
  page,
  product,
}) => {
  const signIn = new SignInPage(page, product.url);
  await signIn.open();
  await signIn.signInAs('linus');
  const token = await page.evaluate(() => localStorage.getItem('token'));
  expect(token).toBeTruthy();
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('default');

  await page.reload();
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
  await page.goto(`${product.url}/login`);
  await expect(page, '[AUTH-05]').toHaveURL(`${product.url}/ics/dashboard`);

  await page.getByRole('button', { name: /linus/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(`${product.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page).toHaveURL(`${product.url}/login`);

  const afterwards = await fetch(`${product.url}/api/user/profile`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(afterwards.status).toBe(401);
});

test('[AUTH-04] a refused token leaves the visitor signed out, with the reason and without a token', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/login?token=made-up`);
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('[AUTH-03] a bearer token as query parameter signs in and leaves the address bar', async ({
  page,
  product,
  user,
}) => {
  await page.goto(`${product.url}/login?token=${user.api.token}`);
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(user.api.token);
});

test('[AUTH-11] a stored token that is not valid ends on /login without a token', async ({
  page,
  product,
}) => {
  await page.addInitScript(() => localStorage.setItem('token', 'stale'));
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page).toHaveURL(`${product.url}/login`);
});

test('a sign-in that the visitor cancels says so on /login', async ({ page, product }) => {
  await page.goto(`${product.url}/login`);
  await page.getByText('Sign in with Google').click();
  await page
    .getByRole('link', { name: 'Cancel' })
    .or(page.getByRole('button', { name: 'Cancel' }))
    .click();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('alert')).toContainText(/sign/i);
});
