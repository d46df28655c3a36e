import { firstLoads, worldOfFirstLoads } from '../support/first-loads.ts';
import { expect, test } from '../support/product.ts';
import { told, transferredBy } from '../support/transferred.ts';

for (const { name, mostBytes, addressOf, shown } of firstLoads) {
  test(`the first load of ${name} brings at most ${mostBytes / 1000} kB`, async ({ browser, product, user }) => {
    const world = await worldOfFirstLoads(user.api);
    const address = product.url + addressOf(world);
    const open = async (): Promise<Awaited<ReturnType<typeof transferredBy>>> => {
      await using context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      if (name !== '/login')
        await context.addInitScript((token) => localStorage.setItem('token', token), user.api.token);
      const page = await context.newPage();
      const transferred = await transferredBy(page, address);
      await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
      return transferred;
    };
    const transferred = await open();
    console.log(told(transferred));
    expect(transferred.bytes, told(transferred)).toBeLessThanOrEqual(mostBytes);
    // What a page is made of has come: fewer bytes than its scripts alone would be a page that is not there.
    expect(transferred.bytes, told(transferred)).toBeGreaterThan(80_000);
  });
}
