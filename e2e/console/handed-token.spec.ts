import { signIn as signInElsewhere } from '@cannery/dev-env';
import { holdCalls } from '../support/calls.ts';
import { expect, test } from '../support/product.ts';

test('[AUTH-03] a bearer token as query parameter leaves the address bar, asks once, and signs in', async ({
  page,
  product,
  user,
}) => {
  const release = await holdCalls(page, '**/api/user/profile*');
  await page.goto(`${product.url}/login?token=${user.api.token}`);
  await expect(page.getByText('Checking your session')).toBeAttached();
  await expect(page, 'at once, not only when the token is checked').toHaveURL(`${product.url}/login`);
  await release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Sign in as ${user.name}?`);
  await expect(page).toHaveURL(`${product.url}/login`);
  await page.getByRole('button', { name: 'Yes, sign in' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(user.api.token);
  await page.reload();
  await expect(page.getByRole('button', { name: user.name }), 'not asked again').toBeVisible();
});

test('[AUTH-03] somebody else’s link signs nobody in: not when it is opened, not when it is declined', async ({
  page,
  context,
  product,
}) => {
  const theirs = await signInElsewhere(product.url, 'mallory');
  await page.goto(`${product.url}/login?token=${theirs}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in as mallory?');
  const stored = () => page.evaluate(() => localStorage.getItem('token'));
  expect(await stored()).toBeNull();
  expect((await context.cookies()).filter(({ name }) => name === 'token')).toEqual([]);
  // Whoever opens another page meanwhile is signed out there.
  const other = await context.newPage();
  await other.goto(`${product.url}/ics/dashboard`);
  await expect(other).toHaveURL(`${product.url}/login`);
  await other.close();

  await page.getByRole('button', { name: 'No, it is not mine' }).click();
  await expect(page.getByText('Sign in with Google')).toBeVisible();
  expect(await stored()).toBeNull();
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page).toHaveURL(`${product.url}/login`);
});
