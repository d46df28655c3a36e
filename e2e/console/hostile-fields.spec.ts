import { readFileSync } from 'node:fs';
import { createCanister, emptyModule, installModule } from '../support/canisters-of.ts';
import { submitDapp, uniqueModule } from '../support/dapps-of.ts';
import { createDeploy } from '../support/deploys.ts';
import { hostileLines } from '../support/hostile-lines.ts';
import { compileMotoko } from '../support/motoko.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';
import { watchForHarm, watchPage } from '../support/watch-page.ts';

/** What fits in a name and would run, if anything took it for more than text. */
const payloads = hostileLines.filter((line) => /^[\x20-\x7e]{1,90}$/.test(line) && line.includes('pwned'));

/** A module whose interface has a method of each name, with the name once more in a comment; it has no such method. */
function moduleWithMethods(names: readonly string[]): Buffer {
  const methods = names.map((name) => `  // ${name}\n  ${JSON.stringify(name)} : (text) -> (text) query;`);
  const name = Buffer.from('icp:public candid:service');
  const content = Buffer.from(`service : {\n${methods.join('\n')}\n}`);
  const body = Buffer.concat([Buffer.from([name.length]), name, content]);
  const length = [(body.length & 0x7f) | 0x80, ((body.length >> 7) & 0x7f) | 0x80, body.length >> 14];
  return Buffer.concat([emptyModule, Buffer.from([0, ...length]), body]);
}

/** A canister that writes each text into its log. */
const writer = (texts: readonly string[]): string => `
import Debug "mo:core/Debug";
persistent actor {
  public func write() : async () {
${texts.map((text) => `    Debug.print(${JSON.stringify(text)});`).join('\n')}
  };
}`;

test('[R11] texts in every field that is kept are text on every page that shows them, and nothing else', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const { api } = user;
  let sent = 0;
  const each = async (use: (text: string) => Promise<unknown>, most = payloads.length): Promise<void> => {
    for (const text of payloads.slice(0, most)) await use(text);
    sent += Math.min(most, payloads.length);
  };
  const { body } = await api.upload('/document/upload', 'wasm', {
    name: '"><img src=x onerror=pwned(1)>.wasm',
    bytes: new Uint8Array(emptyModule),
  });
  const { identifier } = body as { identifier: string };
  await each((name) => api.call('POST', '/registry/add', { name, identifier }));
  await each((label) => api.call('POST', '/repository/tokens', { label }), 20);
  await each((label) => api.call('POST', '/api-tokens', { label, scopes: ['deploys:read'] }), 20);
  const interfaceOfAll = moduleWithMethods(payloads);
  let dapp = '';
  for (const name of payloads) {
    const fields = { name, description: `${name} in words`, notes: `${name} is new` };
    dapp = await submitDapp(api, fields, dapp === '' ? interfaceOfAll : uniqueModule());
  }
  sent += 3 * payloads.length;
  await pushFiles(product, user, 'bait', { 'index.html': 'x' }, payloads.join(' '));
  await each((name) => {
    const more = { build_command: `echo ${name}`, publish_directory: '.' };
    return createDeploy(user, { name, repo_name: 'bait', deploy_type: 'STATIC_SITE', ...more });
  });
  sent += 2 * payloads.length;
  const ids: string[] = [];
  await each(async (name) => ids.push(await createCanister(api, name)), 8);
  const [spoken = '', written = ''] = ids;
  await installModule(api, spoken, interfaceOfAll);
  await installModule(api, written, readFileSync(compileMotoko(writer(payloads))));
  await api.call('POST', '/canister/call', { canister_id: written, method: 'write' });
  sent += 2 * payloads.length;
  expect(sent).toBeGreaterThanOrEqual(300);

  const problems = await watchPage(page);
  const reached = await watchForHarm(page);
  /** Opens a page that shows at least a number of the texts, letter for letter. */
  const look = async (path: string, least: number): Promise<void> => {
    await page.goto(`${product.url}${path}`);
    const shown = async () => {
      const text = (await page.locator('body').textContent()) ?? '';
      return payloads.filter((payload) => text.includes(payload)).length;
    };
    await expect.poll(shown, { message: `texts that ${path} shows` }).toBeGreaterThanOrEqual(least);
  };
  /** Turns the pages of the list that is open, each of which shows some of the texts. */
  const turn = async (): Promise<void> => {
    const next = page.getByRole('button', { name: 'Next page' }).first();
    const range = page.getByText(/^\d+–\d+ of \d+$/).first();
    while (await next.isEnabled()) {
      const before = await range.textContent();
      await next.click();
      await expect(range).not.toHaveText(before ?? '');
      await expect(page.getByRole('main')).toContainText('pwned');
    }
  };

  const [deploy = { id: '' }] = await api.call<{ id: string }[]>('GET', '/deploy');
  await look('/ics/dashboard', 5);
  await look('/ics/canisters', 8);
  await look('/ics/dapps', 5);
  await look('/ics/registries', 5);
  await turn();
  await look('/ics/marketplace', 5);
  await look(`/ics/marketplace?search=${encodeURIComponent(payloads[0] ?? '')}`, 1);
  await look(`/ics/dapp/${dapp}`, 1);
  await look('/ics/account', 5);
  await look(`/ics/deploy/${deploy.id}`, 1);
  await look(`/ics/deploy/${deploy.id}/settings`, 1);
  await look('/ics/deploy?type=STATIC_SITE', 0);
  for (const tab of ['', '?tab=call', '?tab=history', '?tab=settings', '?tab=snapshots']) {
    await look(`/ics/canister/${spoken}${tab}`, tab === '?tab=call' ? 20 : 1);
  }
  await look(`/ics/canister/${written}?tab=logs`, 20);
  await look(`/candid/?id=${spoken}`, 20);
  await look('/ics/registries', 5);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox').fill('pwned');
  await expect(palette.getByRole('option').filter({ hasText: 'pwned' }).first()).toBeVisible();
  expect(reached).toEqual([]);
  expect(problems()).toEqual([]);
});
