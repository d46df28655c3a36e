import { expectFits } from '../support/accessibility.ts';
import { createDeploy, createSite } from '../support/deploys.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';
import { untilQuiet } from '../support/until-quiet.ts';

test.use({ settings: { SITE_PICTURES: 'on' } });

test('[DEPD-04] the page of a deploy shows what is live: a picture of the website, its address and its commit', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createSite(product, user, 'bakery');
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await page.getByRole('button', { name: 'Manual Deploy' }).click();
  const live = page.getByRole('list', { name: 'Canisters' });
  const picture = page.getByTestId('site-picture');
  await expect(live.getByRole('link', { name: 'Visit' })).toBeVisible();
  const place = await live.boundingBox();

  // It comes when the run is over, without a reload, to a place that was kept for it.
  await expect(picture).toBeVisible({ timeout: 60_000 });
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(640);
  expect(await live.boundingBox()).toEqual(place);
  await expect(page.getByTestId('live')).toHaveText(/^Live[0-9a-f]{7}Import bakery\S.*$/);

  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await page.reload();
    await expect(picture).toBeVisible();
    await untilQuiet(page);
    expect.soft(await layoutShift(page), `${size.width} px`).toBeLessThanOrEqual(NOT_MOVED);
    await expectFits(page, `${size.width} px`);
  }

  const [site] = await Promise.all([page.waitForEvent('popup'), picture.click()]);
  await expect(site.getByRole('heading', { name: 'bakery' })).toBeVisible();
});

test('the first run of a project brings pictures of its websites, though nobody knew of them before', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const canisters = Object.fromEntries(
    ['shop', 'blog'].map((name) => [name, { type: 'assets', source: [name] }]),
  );
  await pushFiles(product, user, 'street', {
    'dfx.json': JSON.stringify({ canisters }),
    'shop/index.html': '<h1>Shop</h1>',
    'blog/index.html': '<h1>Blog</h1>',
  });
  const id = await createDeploy(user, { name: 'Street', repo_name: 'street', deploy_type: 'CUSTOM' });
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await page.getByRole('button', { name: 'Manual Deploy' }).click();
  await expect(page.getByTestId('site-picture')).toHaveCount(2, { timeout: 60_000 });
});
