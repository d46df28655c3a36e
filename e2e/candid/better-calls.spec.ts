import { emptyModule } from '../support/canisters-of.ts';
import { pushFiles } from '../support/repositories.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect, test } from '../support/product.ts';
import { addRegistry } from '../support/registries-of.ts';

/** Answers of a service that knows only the call of the table, or fails at ours. */
const answers = [
  { status: 400, json: { error: 'Unknown query' } },
  { status: 404, json: {} },
  { status: 405, json: {} },
  { status: 500, json: { error: 'broken' } },
  { status: 501, body: 'not here' },
  { status: 429, json: {} },
  { status: 200, contentType: 'text/html', body: '<h1>A page</h1>' },
  { status: 200, json: { rows: 'none' } },
  { status: 204 },
];

test('[API-04] any answer to a page of the registries but a readable 200 leads to the call of the table', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await addRegistry(user.api, 'Flour', emptyModule);
  for (const answer of answers) {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route('**/api/registry/page**', (route) => route.fulfill(answer));
    const table = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/registry/');
    await page.goto(`${product.url}/ics/registries`);
    await table;
    await expect(page.getByText('Flour').first(), JSON.stringify(answer)).toBeVisible();
  }
});

test('[API-04] any answer to a page of the marketplace but a readable 200 leads to the call of the table', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  for (const answer of answers) {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    let asked = 0;
    await page.route('**/api/marketplace/?*', (route) => route.fulfill(answer));
    await page.route('**/api/marketplace/', (route) => {
      asked += 1;
      return route.fulfill({
        json: [{ id: '1', name: 'Mill', description: 'Grinds', user: { username: 'ada' } }],
      });
    });
    await page.goto(`${product.url}/ics/marketplace`);
    await expect(page.getByText('Mill').first(), JSON.stringify(answer)).toBeVisible();
    expect(asked, JSON.stringify(answer)).toBeGreaterThan(0);
  }
});

test('[OP-44] [VAL-27] [DEP-07] a repository with a dot in its name is reached by the address that the browser shows', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  for (const name of ['my.site', 'next.js'])
    await pushFiles(product, user, name, { 'index.html': '<h1>Fresh</h1>' });
  await pushFiles(product, user, 'my', { 'index.html': '<h1>Another</h1>' });
  const choice = new NewDeployPages(page, product.url);
  for (const [typed, name] of [
    ['next.js', 'next.js'],
    ['next.js.git', 'next.js'],
    ['my.git', 'my'],
    // The part from the last dot on is dropped first.
    ['my.site', 'my'],
    ['my.site.git', 'my.site'],
  ] as const) {
    await choice.open('MOTOKO');
    const url = `${product.url}/${user.name}/${typed}`;
    await choice.continueWith(url);
    expect(await choice.handedOver(), typed).toEqual({
      repo_name: name,
      owner: user.name,
      isPublic: true,
      url,
    });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      `You are creating deploy for ${user.name}/${name}`,
    );
  }
});
