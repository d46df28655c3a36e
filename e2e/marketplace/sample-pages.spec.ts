import { expect, test } from '../support/product.ts';
import { untilQuiet } from '../support/until-quiet.ts';

test('[DEMO-01] the service hears nothing of what is done on the sample pages', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  for (const [address, part] of [
    ['/app', 'Export report'],
    ['/ics/profile_temp', 'This week'],
  ] as const) {
    await page.goto(product.url + address);
    const main = page.getByRole('main');
    const box = main.getByRole('checkbox').first();
    await expect(box).toBeVisible();
    await untilQuiet(page);
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(`${product.url}/api/`)) calls.push(request.url());
    });
    const before = await box.isChecked();
    await box.click();
    await expect(box).toBeChecked({ checked: !before });
    await main.getByText(part, { exact: true }).click();
    await page.waitForTimeout(300);
    expect(calls, address).toEqual([]);
  }
});
