import { signIn as signInElsewhere } from '@cannery/dev-env';
import { callsOf, holdCalls } from '../support/calls.ts';
import { SignInPage } from '../pages/sign-in-page.ts';
import { expect, test } from '../support/product.ts';
import { routes } from '../support/routes.ts';

test('[AUTH-06] [AUTH-07] [NAV-02] signed out, each route of the table asks for a sign-in or opens, as the table says', async ({
  page,
  product,
}) => {
  for (const { address, access } of routes) {
    await page.goto(product.url + address);
    if (access === 'signed in' || address === '/' || address === '/login') {
      await expect(page, address).toHaveURL(`${product.url}/login`);
      await expect(page.getByText('Sign in with Google'), address).toBeVisible();
      continue;
    }
    const end = address === '/documentation' ? `${address}/getting-started/quick-start` : address;
    await expect(page, address).toHaveURL(product.url + end);
    await expect(page.getByRole('heading', { level: 1 }), address).toBeVisible();
    await expect(page.getByText('404'), address).toHaveCount(0);
  }
});

test('[AUTH-07] a visitor whose stored token is refused stays on the page of the documentation', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/login`);
  for (const name of ['getting-started/quick-start', 'components/buttons']) {
    await page.evaluate(() => localStorage.setItem('token', 'stale'));
    await page.goto(`${product.url}/documentation/${name}`);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' }), name).toBeVisible();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('heading', { level: 1 }), name).toHaveText(/^(Quick start|Buttons)$/);
    await expect(page).toHaveURL(`${product.url}/documentation/${name}`);
  }
});

test('[NAV-07] [NAV-13] [NAV-15] signed in, each route of the table opens in the shell, also after a reload, and what is unknown is a 404 there', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const heading = page.getByRole('main').getByRole('heading', { level: 1 });
  for (const { address, end, title } of routes) {
    await page.goto(product.url + address);
    await expect(heading, address).toHaveText(title);
    await page.reload();
    await expect(heading, `${address} once more`).toHaveText(title);
    await expect(page).toHaveURL(product.url + end);
    await expect(page.getByRole('navigation', { name: 'Main' }), address).toBeVisible();
  }
  for (const unknown of ['/ics', '/ics/nothing', '/nothing/here']) {
    await page.goto(product.url + unknown);
    await expect(page.getByText("the page you're looking for no longer exists"), unknown).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' }), unknown).toBeVisible();
  }
});

test('[NAV-13] a visitor gets the 404 page too, and from it the way home', async ({ page, product }) => {
  for (const unknown of ['/no/such/page', '/ics', '/ics/nothing']) {
    await page.goto(product.url + unknown);
    await expect(
      page.getByText("Oops. Looks like the page you're looking for no longer exists"),
      unknown,
    ).toBeVisible();
    await expect(page).toHaveURL(product.url + unknown);
    const home = page.getByRole('link', { name: 'Back to Home' });
    await expect(home).toHaveAttribute('href', '/');
    await home.click();
    await expect(page).toHaveURL(`${product.url}/login`);
  }
});

test("[AUTH-01] the only choice of /login is 'Sign in with Google', also after a sign-in that failed", async ({
  page,
  product,
}) => {
  const texts = ['/login', '/login?error=The+sign-in+was+refused.', '/login?token=made-up'];
  for (const [failures, address] of texts.entries()) {
    await page.goto(product.url + address);
    await expect(page.getByRole('alert'), address).toHaveCount(Math.min(failures, 1));
    await expect(page.getByRole('main').locator('a, button'), address).toHaveText(['Sign in with Google']);
    await expect(page.locator('input'), address).toHaveCount(0);
  }
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
  // Cookies reach every port of a host: none holds anything that opens the account.
  expect(await cookie()).toMatchObject({ value: '1', httpOnly: false });
  expect(JSON.stringify(await context.cookies())).not.toContain(token);

  await page.reload();
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
  await page.goto(`${product.url}/login`);
  await expect(page, '[AUTH-05]').toHaveURL(`${product.url}/ics/dashboard`);

  await page.getByRole('button', { name: /linus/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(`${product.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  expect(await cookie()).toBeUndefined();
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

test('[AUTH-13] Sign Out clears token and cookie while the service cannot be reached', async ({
  page,
  context,
  product,
}) => {
  const signIn = new SignInPage(page, product.url);
  await signIn.open();
  await signIn.signInAs('offline');
  const token = (await page.evaluate(() => localStorage.getItem('token'))) ?? '';
  // On a page below /ics a cookie without a path would be another one.
  await page.reload();
  await expect(page.getByRole('button', { name: /offline/ })).toBeVisible();
  const farewell = page.waitForRequest('**/api/auth/logout');
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('button', { name: /offline/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await farewell;
  await expect(page).toHaveURL(`${product.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  expect((await context.cookies()).filter(({ name }) => name === 'token')).toEqual([]);
  await page.unroute('**/api/**');
  const later = page.waitForRequest('**/auth/google/');
  await page.getByText('Sign in with Google').click();
  expect(JSON.stringify(await (await later).allHeaders())).not.toContain(token);
});

test('[AUTH-03] [AUTH-18] a link with a token replaces no running session, and leaves neither address nor history', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page.getByRole('button', { name: 'Create New Canister' })).toBeVisible();
  const other = await signInElsewhere(product.url, 'mallory');
  await page.goto(`${product.url}/login?token=${other}`);
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
  await expect(page.getByRole('button', { name: user.name })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(user.api.token);
  await page.goBack();
  await expect(page).toHaveURL(`${product.url}/ics/canisters`);
});

test('[API-37] the sign-in button leads over the provider to the address that was asked for; a token opened by hand to the dashboard', async ({
  page,
  product,
  user,
}) => {
  const opened: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) opened.push(request.url().slice(product.url.length));
  });
  await page.goto(`${product.url}/ics/deploy?type=MOTOKO`);
  await expect(page).toHaveURL(`${product.url}/login`);
  await page.getByText('Sign in with Google').click();
  await page.locator('input[name="login"]').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/ics\/deploy\/?\?type=MOTOKO$/);
  expect(opened).toContain('/api/auth/google/');
  expect(opened.at(-1), 'where the sign-in ends').toMatch(/^\/login\?token=[^&]+/);
  await page.getByRole('button', { name: 'Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(`${product.url}/login`);

  await page.goto(`${product.url}/ics/canisters`);
  await expect(page).toHaveURL(`${product.url}/login`);
  await page.goto(`${product.url}/login?token=${user.api.token}`);
  await page.getByRole('button', { name: 'Yes, sign in' }).click();
  await expect(page, '[AUTH-03]').toHaveURL(`${product.url}/ics/dashboard`);
});

test('no page turns a text into markup or script: Trusted Types are required on both entries', async ({
  page,
  product,
}) => {
  for (const path of ['/login', '/candid/']) {
    await page.goto(product.url + path);
    const outcome = await page.evaluate(() => {
      const tries = {
        innerHTML: () => Object.assign(document.createElement('div'), { innerHTML: '<b>x</b>' }),
        'script text': () => Object.assign(document.createElement('script'), { text: '1' }),
        'a policy of its maker': () =>
          (
            globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
          ).trustedTypes.createPolicy('any', {}),
      };
      return Object.entries(tries).map(([name, attempt]) => {
        try {
          attempt();
          return `${name} passed`;
        } catch (error) {
          return `${name}: ${(error as Error).name}`;
        }
      });
    });
    expect(outcome, path).toEqual([
      'innerHTML: TypeError',
      'script text: TypeError',
      'a policy of its maker: TypeError',
    ]);
  }
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
  await release();
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
  // Nor does anything else replace a token that was stored and is not any more.
  await page.evaluate((value) => localStorage.setItem('token', value), user.api.token);
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page.getByText('Hi,')).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('token'));
  await page.reload();
  await expect(page).toHaveURL(`${product.url}/login`);
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
  await page.goto(product.url);
  await expect(page, 'also where an address leads elsewhere').toHaveURL(`${product.url}/ics/dashboard`);
  await expect(page.getByText('Account Details')).toBeVisible();
  expect(await seen()).not.toContain('Sign in with Google');

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

  // Another tab has signed in again meanwhile.
  const other = await signInElsewhere(product.url, user.name);
  await page.evaluate((token) => localStorage.setItem('token', token), other);
  const next = page.waitForRequest('**/api/registry/**');
  await page.getByRole('link', { name: 'Registries' }).click();
  expect(await (await next).headerValue('authorization')).toBe(`Bearer ${other}`);
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
