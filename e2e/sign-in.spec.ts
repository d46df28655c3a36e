import { callsOf, holdCalls } from './calls.ts';
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

test('[AUTH-12] [AUTH-14] [AUTH-13] [AUTH-05] a session is kept in local storage until Sign Out', async ({
  page,
  context,
  product,
}) => {
  const signIn = new SignInPage(page, product.url);
  await signIn.open();
  await signIn.signInAs('linus');
  const token = await page.evaluate(() => localStorage.getItem('token'));
  expect(token).toBeTruthy();
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('default');
  const cookie = async () => (await context.cookies(product.url)).find(({ name }) => name === 'token');
  expect(await cookie()).toBeDefined();

  await page.reload();
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
  await page.goto(`${product.url}/login`);
  await expect(page, '[AUTH-05]').toHaveURL(`${product.url}/ics/dashboard`);

  await page.getByRole('button', { name: /linus/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(`${product.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await expect.poll(cookie).toBeUndefined();
  const later = callsOf(page, 'GET', '');
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page).toHaveURL(`${product.url}/login`);
  const headers = await Promise.all(later.map((request) => request.allHeaders()));
  expect(JSON.stringify(headers)).not.toContain(token);

  const afterwards = await fetch(`${product.url}/api/user/profile`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(afterwards.status).toBe(401);
});

test('[AUTH-08] a page that is left while its session is checked does not end the session', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page.getByText('Hi,')).toBeVisible();
  const release = await holdCalls(page, '**/api/user/profile*');
  const asked = page.waitForRequest('**/api/user/profile*');
  await page.reload({ waitUntil: 'commit' });
  await asked;
  // Leaves while the check is under way, and comes back.
  await page.goto('about:blank');
  release();
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page.getByRole('button', { name: 'Create New Canister' })).toBeVisible();
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

test('[AUTH-11] [AUTH-09] a profile that cannot be loaded signs out: no token is left, /login shows', async ({
  page,
  product,
  user,
}) => {
  const answers = [
    { token: 'stale', fail: undefined },
    { token: user.api.token, fail: 500 },
    { token: user.api.token, fail: 'abort' },
  ] as const;
  await page.goto(`${product.url}/login`);
  for (const { token, fail } of answers) {
    await page.unrouteAll();
    if (fail !== undefined) {
      await page.route('**/api/user/profile*', (route) =>
        fail === 'abort' ? route.abort() : route.fulfill({ status: fail, json: {} }),
      );
    }
    await page.evaluate((value) => localStorage.setItem('token', value), token);
    await page.goto(`${product.url}/ics/dashboard`);
    await expect(page).toHaveURL(`${product.url}/login`);
    await expect(page.getByText('Sign in with Google')).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  }
  // Nothing is stored now: a start without a token makes no profile call and ends on /login as well.
  await page.unrouteAll();
  const profiles = callsOf(page, 'GET', '/user/profile');
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page).toHaveURL(`${product.url}/login`);
  expect(profiles).toHaveLength(0);
});

test('[AUTH-08] [AUTH-10] [AUTH-15] a stored token opens its page after a loader; every call carries it', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await page.addInitScript(() => {
    // Keeps what was on the page at any moment, however short.
    const seen = new Set<string>();
    Object.assign(window, { seenTexts: seen });
    new MutationObserver(() => {
      for (const text of ['Sign in with Google', 'Account Details', 'Checking your session']) {
        if (document.body?.textContent.includes(text)) seen.add(text);
      }
    }).observe(document, { childList: true, subtree: true });
  });
  const seen = () => page.evaluate(() => [...(window as unknown as { seenTexts: Set<string> }).seenTexts]);
  const calls = ['GET', 'POST'].map((method) => callsOf(page, method, ''));
  const release = await holdCalls(page, '**/api/user/profile*');

  await page.goto(`${product.url}/ics/canisters`);
  await expect(page.getByText('Checking your session')).toBeAttached();
  await page.waitForTimeout(500);
  expect(await seen()).toEqual(['Checking your session']);
  await release();
  await expect(page.getByText('Deploy your first Canister on Internet Computer')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/ics/canisters`);
  expect(await seen()).not.toContain('Sign in with Google');

  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('table', { name: 'Transactions' })).toBeVisible();
  const api = calls.flat().filter((request) => request.url().startsWith(`${product.url}/api/`));
  expect(api.map((request) => new URL(request.url()).pathname)).toContain('/api/user/profile');
  expect(api.length).toBeGreaterThan(5);
  for (const request of api) {
    expect(await request.headerValue('authorization'), request.url()).toBe(`Bearer ${user.api.token}`);
  }
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
