import { failCalls } from '../support/calls.ts';
import { RegistriesPage } from '../pages/registries-page.ts';
import { Toasts } from '../pages/toasts.ts';
import { expect, test } from '../support/product.ts';

test('[ERR-11] [OP-33] a list that cannot be loaded is silent and shows as an empty one', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const toasts = new Toasts(page);
  await toasts.watch();
  await failCalls(page, '**/api/registry/**', 500);
  await new RegistriesPage(page, product.url).open();
  await expect(page.getByText("You haven't added any registry yet.")).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await toasts.texts()).toEqual([]);
});
