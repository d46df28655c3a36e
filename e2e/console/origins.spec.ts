import { readFileSync } from 'node:fs';
import { createApi, signIn } from '@cannery/dev-env';
import { HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { createCanister, installModule } from '../support/canisters-of.ts';
import { submitDapp, uniqueModule, updateDapp } from '../support/dapps-of.ts';
import { createSite, runDeploy } from '../support/deploys.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { compileMotoko } from '../support/motoko.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { expect, test } from '../support/product.ts';

const reinstallArg = IDL.Record({
  mode: IDL.Variant({ reinstall: IDL.Null }),
  canister_id: IDL.Principal,
  wasm_module: IDL.Vec(IDL.Nat8),
  arg: IDL.Vec(IDL.Nat8),
});

test('an update names its dapp, its publisher and both versions; code that others put in is told, and gets none', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}, testInfo) => {
  test.slow();
  const publisher = `${user.name}-maker`;
  const maker = createApi(product.url, await signIn(product.url, publisher));
  const name = `Counter by @${user.name} (official)`;
  const first = readFileSync(
    compileMotoko(`// ${user.name}\npersistent actor { public query func get() : async Nat { 1 } }`),
  );
  const second = readFileSync(
    compileMotoko(`// ${user.name} 2\npersistent actor { public query func get() : async Nat { 2 } }`),
  );
  const dapp = await submitDapp(maker, { name }, first);
  const id = await createCanister(user.api, 'My counter');
  await installModule(user.api, id, first, { from: `dapp ${dapp}` });
  await updateDapp(maker, dapp, '1.1.0', second);

  await page.goto(`${product.url}/ics/canister/${id}`);
  const line = page.getByRole('region', { name: 'DApp' });
  await expect(line).toContainText(`Installed from ${name} 1.0.0 of @${publisher}`);
  await line.getByRole('button', { name: 'Upgrade' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upgrade to v1.1.0' });
  const facts = dialog.locator('dl[aria-label="Update"]');
  await expect(facts.getByText('From').locator('+ dd')).toContainText('v1.0.0');
  await expect(facts.getByText('To', { exact: true }).locator('+ dd')).toContainText('v1.1.0');
  await expect(facts.getByRole('link')).toHaveText(`@${publisher}`);
  await expect(dialog).toContainText('Callers keep working');
  await inspectOnPhone(page, 'the dialog of an update');
  await look('update dialog');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  // Somebody else who controls the canister puts in other code.
  const identity = Ed25519KeyIdentity.generate();
  const details = await user.api.call<{ console_principal: string }>('GET', `/canister/details/${id}`);
  const controllers = [details.console_principal, identity.getPrincipal().toText()];
  await user.api.call('POST', '/canister/settings', { canister_id: id, settings: { controllers } });
  const agent = await HttpAgent.create({ host: product.networkUrl, identity, shouldFetchRootKey: true });
  const canisterId = Principal.fromText(id);
  const change = { mode: { reinstall: null }, canister_id: canisterId, wasm_module: uniqueModule(), arg: [] };
  await agent.update('aaaaa-aa', {
    methodName: 'install_code',
    arg: IDL.encode([reinstallArg], [change]),
    effectiveCanisterId: canisterId,
  });
  await page.getByRole('button', { name: 'Refresh' }).click();
  const origin = page.getByRole('region', { name: 'Origin of the code' });
  await expect(origin).toContainText('Changed outside');
  await expect(origin).toContainText(`Changed outside Cannery: somebody`);
  await expect(origin).toContainText(`(${name} 1.0.0 of @${publisher})`);
  await expect(line).toHaveCount(0);
  await inspectOnPhone(page, 'a canister that others have changed');
  await look('changed outside');

  const list = new CanistersPage(page, product.url);
  await list.open();
  await expect(list.table.row('My counter')).toContainText('Changed outside');
  await inspectOnPhone(page, 'the list with a canister that others have changed');
  await look('list');
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page.getByRole('region', { name: 'Apps' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Needs attention' })).toHaveCount(0);

  async function look(what: string): Promise<void> {
    for (const width of [1440, 390]) {
      for (const theme of ['default', 'dark']) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate((chosen) => {
          document.documentElement.dataset.theme = chosen;
        }, theme);
        await page.screenshot({ path: testInfo.outputPath(`${what} ${width} ${theme}.png`) });
      }
    }
    await page.evaluate(() => {
      document.documentElement.dataset.theme = 'default';
    });
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});

test('the page of a canister of a deploy names the deploy, and no dapp, whatever has the same bytes', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const deploy = await createSite(product, user, 'pages');
  expect(await runDeploy(user, deploy)).toBe('COMPLETED');
  const { canisters } = await user.api.call<{ canisters: string[] }>('GET', `/deploy/${deploy}`);
  await page.goto(`${product.url}/ics/canister/${canisters[0]}`);
  const origin = page.getByRole('region', { name: 'Origin of the code' });
  await expect(origin).toContainText(/^Installed by run 1 of pages, commit [0-9a-f]{7} of /);
  await expect(origin.getByRole('link', { name: 'pages', exact: true })).toHaveAttribute(
    'href',
    `/ics/deploy/${deploy}`,
  );
  await expect(page.getByRole('region', { name: 'DApp' })).toHaveCount(0);
});
