import { expectFits, violationsInThemes } from '../support/accessibility.ts';
import { createCanister } from '../support/canisters-of.ts';
import { expect, test } from '../support/product.ts';

for (const width of [1440, 390]) {
  test(`help is one press away at ${width} px: guide, shortcuts, API and support`, async ({
    page,
    product,
    signedIn: _signedIn,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${product.url}/ics/registries`);
    const help = page.getByRole('button', { name: 'Help', exact: true });
    await expectFits(page, `the top bar at ${width} px`);
    const end = await page.getByRole('button', { name: 'profile menu' }).boundingBox();
    expect((end?.x ?? 0) + (end?.width ?? Infinity)).toBeLessThanOrEqual(width);
    await help.click();
    const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
    const { support_url } = (await (await page.request.get(`${product.url}/api/config`)).json()) as {
      support_url: string;
    };
    await expect(item('Support')).toHaveAttribute('href', support_url);
    expect(await violationsInThemes(page)).toEqual([]);

    const opened = page.context().waitForEvent('page');
    await item('API description').click();
    const description = await opened;
    await expect(description).toHaveURL(`${product.url}/api/openapi.json`);
    await expect(description.locator('body')).toContainText('"openapi":"3.1.0"');
    await description.close();

    await help.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('Escape');

    await help.click();
    await item('Guide').click();
    await expect(page).toHaveURL(/\/documentation\/getting-started\/quick-start$/);
  });
}

test('a dot says that something is new until it is read', async ({ page, product, signedIn: _signedIn }) => {
  await page.goto(`${product.url}/ics/registries`);
  const help = page.getByRole('button', { name: 'Help', exact: true });
  const isDotted = () => help.evaluate((button) => button.querySelectorAll('span').length > 0);
  await expect.poll(isDotted).toBe(true);
  await help.click();
  await page.getByRole('menuitem', { name: 'What is new , not read yet' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'What is new' })).toBeVisible();
  await page.goto(`${product.url}/ics/registries`);
  await expect(help).toBeVisible();
  expect(await isDotted()).toBe(false);
  await help.click();
  await expect(page.getByRole('menuitem', { name: 'What is new', exact: true })).toBeVisible();
});

test('what is empty and what fails lead to their chapters, beside what is open', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/registries`);
  const link = page.getByRole('link', { name: 'Guide: Keep a module in a registry' });
  const opened = page.context().waitForEvent('page');
  await link.click();
  const chapter = await opened;
  await expect(chapter.getByRole('heading', { name: 'Keep a module in a registry' })).toBeInViewport();
  await chapter.close();

  const id = await createCanister(user.api, 'Running');
  await page.goto(`${product.url}/ics/canister/${id}?tab=snapshots`);
  await expect(page.getByRole('link', { name: 'Guide: Take a snapshot' })).toHaveAttribute(
    'href',
    '/documentation/getting-started/upgrade-without-losing-data#take-a-snapshot',
  );
});
