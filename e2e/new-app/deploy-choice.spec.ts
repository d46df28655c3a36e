import { expectFits, violationsOf } from '../support/accessibility.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

const page1 = { 'index.html': '<h1>Fresh bread</h1>' };

test('[NAV-09] [DEP-03] [DEP-06] [DEP-10] the ways to the code are tabs, which the address names and the keyboard opens', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const choice = new NewDeployPages(page, product.url);
  const tab = choice.tab.bind(choice);
  const opened = (name: Parameters<typeof tab>[0]) =>
    expect(tab(name), name).toHaveAttribute('aria-selected', 'true');
  await choice.open('MOTOKO');
  await expect(page.getByRole('tab')).toHaveText(['Template', 'My repositories', 'Git URL', 'Push']);
  // A newcomer begins with a template, and is told of the other way.
  await opened('Template');
  await expect(page.getByRole('button', { name: 'Use template' }).first()).toBeVisible();
  await expect(choice.prompt).toBeVisible();
  // What arrives meanwhile does not take the tab away.
  await pushFiles(product, user, 'mill', page1);
  await expect(choice.prompt).toHaveCount(0, { timeout: 15_000 });
  await opened('Template');

  await tab('Template').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab('My repositories')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(choice.repositories).toHaveCount(1);
  await expect(page).toHaveURL(/\?type=MOTOKO&from=repositories$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(choice.repositoryUrl).toBeVisible();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?type=MOTOKO&from=push$/);
  await expect(page.getByText(`${product.url}/${user.name}/my-project.git`)).toBeVisible();

  await page.reload();
  await opened('Push');
  await page.goBack();
  await opened('Git URL');
  await page.goBack();
  await opened('My repositories');
  await page.goForward();
  await opened('Git URL');
  // The type is another question: its choice leaves the tab open.
  await page
    .getByRole('navigation', { name: 'What to create' })
    .getByRole('link', { name: 'Website' })
    .click();
  await expect(page).toHaveURL(/\?type=STATIC_SITE&from=url$/);
  await opened('Git URL');

  // Whoever has repositories begins with them; an address that names nothing there is counts for none.
  await choice.open('STATIC_SITE');
  await opened('My repositories');
  await page.goto(`${product.url}/ics/deploy?type=STATIC_SITE&from=nowhere`);
  await opened('My repositories');

  for (const [width, theme] of [
    [390, 'dark'],
    [1440, 'default'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
    for (const name of ['Template', 'My repositories', 'Git URL', 'Push'] as const) {
      await tab(name).click();
      await opened(name);
      await expectFits(page, `${name} at ${width} px`);
      expect(await violationsOf(page), `${name} at ${width} px`).toEqual([]);
    }
  }
});

test('[DEP-03] a push shows without a reload', async ({ page, product, user, signedIn: _signedIn }) => {
  const choice = new NewDeployPages(page, product.url);
  await choice.openAt('STATIC_SITE', 'My repositories');
  await expect(choice.prompt).toBeVisible();
  await pushFiles(product, user, 'mill', page1);
  await expect(choice.repositories).toHaveCount(1);
});

test('an access token is made where it is needed first, and kept on the account page, where a question that names it comes before it is revoked', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const choice = new NewDeployPages(page, product.url);
  await choice.openAt('STATIC_SITE', 'Push');
  await page.getByLabel('Token name').fill('my laptop');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByText("Copy the token 'my laptop' now; it is shown only once.")).toBeVisible();
  // Whoever has a token needs no other.
  await page.reload();
  await expect(page.getByText('You have an access token.')).toBeVisible();
  await expect(page.getByLabel('Token name')).toHaveCount(0);
  await page.getByRole('link', { name: 'Account page' }).click();

  const card = page.getByRole('region', { name: 'Access tokens for git' });
  await expect(card).toBeInViewport();
  const rows = card.getByRole('list', { name: 'Access tokens' }).getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await card.getByRole('button', { name: 'New access token' }).click();
  await card.getByLabel('Token name').fill('the other one');
  await card.getByRole('button', { name: 'Create token' }).click();
  const secret = card.getByText("Copy the token 'the other one' now; it is shown only once.");
  await expect(secret).toBeVisible();
  await expect(rows).toHaveCount(2);

  const row = rows.filter({ hasText: 'the other one' });
  const dialog = page.getByRole('dialog', { name: "Revoke the token 'the other one'?" });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Keep token' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke token' }).click();
  await expect(row).toHaveCount(0);
  // The secret of a token that is gone is no longer shown.
  await expect(secret).toHaveCount(0);
  await expect(rows).toHaveText([/my laptop/]);
});
