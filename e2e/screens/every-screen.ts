import type { Product } from '@cannery/dev-env';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { failCalls } from '../support/calls.ts';
import { createCanister, emptyModule, installModule, stop } from '../support/canisters-of.ts';
import { createDeploy, runDeploy } from '../support/deploys.ts';
import { counterSource, compileMotoko } from '../support/motoko.ts';
import { CandidPage } from '../pages/candid-page.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect } from '../support/product.ts';
import { type Owner, pushFiles } from '../support/repositories.ts';

const LONG = 'A canister with quite a long name that has to be cut somewhere';
const STOPPED = 'x'.repeat(80);
const REPOSITORY = 'r'.repeat(50);

export interface Walk {
  readonly page: Page;
  readonly product: Product;
  /** Who is signed in. */
  readonly user: Owner;
  /** Called on every screen, in every state that changes how it looks. */
  readonly look: (name: string) => Promise<void>;
}

async function open({ page, product, look }: Walk, address: string, shown: string | RegExp): Promise<void> {
  await page.goto(product.url + address);
  await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
  await look(address);
}

/** Closes what lies over the page, and waits until it has gone. */
async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** The screens of a visitor. */
export async function visitorScreens(walk: Walk): Promise<void> {
  await open(walk, '/login', 'Sign in with Google');
  await open(walk, '/login?error=The+sign-in+was+refused.', 'The sign-in was refused.');
  await open(walk, '/no/such/page', 'Back to Home');
}

/** The documentation of a visitor: a chapter, the pages about parts of the console, and its search. */
export async function documentationScreens(walk: Walk): Promise<void> {
  const { page, look } = walk;
  for (const name of ['typography', 'header', 'sidebar', 'buttons']) {
    await open(walk, `/documentation/components/${name}`, 'On this page');
  }
  await open(walk, '/documentation/getting-started/cycles', 'Schedules');
  await open(walk, '/documentation/getting-started/first-canister', 'Put code into it');
  await page.getByRole('searchbox').fill('snapshot');
  await expect(page.getByRole('list', { name: 'Found' }).getByRole('link').first()).toBeVisible();
  await look('search of the documentation');
}

/** The screens of a user who owns nothing, and those of a service that fails. */
export async function emptyScreens(walk: Walk): Promise<void> {
  const { page, look } = walk;
  await open(walk, '/ics/dashboard', 'CYCLE DEPOSIT');
  await open(walk, '/ics/canisters', 'Deploy your first Canister on Internet Computer');
  await open(walk, '/ics/dapps', "You haven't deployed anything yet.");
  await open(walk, '/ics/canister/rrkah-fqaaa-aaaaa-aaaaq-cai', 'This canister cannot be shown.');
  await open(walk, '/ics/canister/aaaaa-aa', 'Management canister');
  await open(walk, '/ics/registries', "You haven't added any registry yet.");
  await open(walk, '/ics/pipelines/create', 'Create new pipeline');
  await failCalls(page, '**/api/canister/list/', 500);
  await failCalls(page, '**/api/deploy', 500);
  await page.goto(`${walk.product.url}/ics/canisters`);
  await expect(page.getByRole('alert').filter({ hasText: 'Cannot load canisters.' })).toBeVisible();
  await look('lists that fail');
  await open(walk, '/ics/dapps', 'Cannot load DApps.');
  await page.unroute('**/api/canister/list/');
  await page.unroute('**/api/deploy');
}

/** Two canisters whose names have to be cut, one with code in it, one stopped; answers the id of the first. */
async function furnishCanisters({ api }: Owner): Promise<string> {
  const id = await createCanister(api, LONG);
  await installModule(api, id, emptyModule);
  await stop(api, await createCanister(api, STOPPED));
  return id;
}

/** Dashboard and account, with what the shell opens over them. */
export async function shellScreens(walk: Walk): Promise<void> {
  const { page, user, look } = walk;
  await furnishCanisters(user);
  await user.api.call('POST', '/api-tokens', { label: LONG, scopes: ['deploys:read'], expires_in_days: 30 });
  await open(walk, '/ics/account', 'CANISTER CREATE');
  await page.getByRole('button', { name: 'Create token' }).click();
  await look('create an API token');
  await leave(page);
  await page.getByRole('button', { name: /^Delete token/ }).click();
  await look('delete an API token');
  await leave(page);
  await open(walk, '/ics/dashboard', 'CANISTER CREATE');
  await page.getByRole('button', { name: 'profile menu' }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
  await look('profile menu');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option').first()).toBeVisible();
  await look('palette');
  await page.getByRole('dialog').getByRole('combobox').fill('no such thing');
  await look('palette that finds nothing');
  await leave(page);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await look('shortcuts');
  await leave(page);
  const toggle = page.getByRole('button', { name: /^(Open|Close) sidebar$/ });
  await toggle.click();
  await look('narrow sidebar');
  await toggle.click();
}

/** A canister's page with its tabs and dialogs. */
export async function canisterScreens(walk: Walk): Promise<void> {
  const { page, user, look } = walk;
  const id = await furnishCanisters(user);
  await open(walk, `/ics/canister/${id}?tab=logs`, 'The canister has printed nothing');
  await open(walk, `/ics/canister/${id}?tab=settings`, 'Controllers');
  await open(walk, `/ics/canister/${id}?tab=snapshots`, 'No snapshot yet');
  await open(walk, `/ics/canister/${id}?tab=history`, /by /);
  await open(walk, `/ics/canister/${id}`, 'Delete this canister');
  const canister = new CanisterPage(page);
  await canister.action('Add Cycles').click();
  await expect(canister.topUpDialog).toBeVisible();
  await look('top-up dialog');
  await leave(page);
  await canister.action('Install WASM').click();
  await expect(canister.installDialog).toBeVisible();
  await look('install dialog');
  await leave(page);
}

/** The lists as table and as cards, with drawer and dialogs. */
export async function listScreens(walk: Walk): Promise<void> {
  const { page, product, user, look } = walk;
  await furnishCanisters(user);
  await open(walk, '/ics/canisters', 'Rows per page');
  const canisters = new CanistersPage(page, product.url);
  await canisters.createButton.click();
  await expect(canisters.dialog).toBeVisible();
  await look('create dialog');
  await leave(page);
  await page.getByRole('searchbox', { name: 'Search canisters' }).fill('no such thing');
  await expect(page.getByText('No canister matches')).toBeVisible();
  await look('search that finds nothing');
  await page.getByRole('searchbox', { name: 'Search canisters' }).fill('');
  await canisters.showCards();
  await expect(canisters.cards).toHaveCount(2);
  await look('cards');
  await canisters.openCard(LONG);
  await expect(canisters.drawer(LONG)).toBeVisible();
  await look('drawer');
  await leave(page);
  await canisters.openCard(STOPPED);
  await canisters.drawer(STOPPED).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Are you sure you want to delete this canister?')).toBeVisible();
  await look('delete dialog');
  await page.keyboard.press('Escape');
  await leave(page);
}

/** From the choice of a repository to a run that failed. */
export async function deployScreens(walk: Walk): Promise<void> {
  const { page, product, user, look } = walk;
  await pushFiles(product, user, REPOSITORY, { 'index.html': '<h1>wide</h1>' });
  const id = await createDeploy(user, {
    name: 'n'.repeat(60),
    repo_name: REPOSITORY,
    deploy_type: 'STATIC_SITE',
    build_command: 'echo the oven is cold; exit 3',
    publish_directory: '.',
  });
  await runDeploy(user, id);
  await open(walk, '/ics/deploy?type=STATIC_SITE&from=template', 'Use template');
  await open(walk, '/ics/deploy?type=STATIC_SITE&from=url', 'Public Git repository');
  await open(walk, '/ics/deploy?type=STATIC_SITE&from=push', 'Push your own repository');
  await open(walk, '/ics/deploy?type=STATIC_SITE', 'Your repositories');
  const pages = new NewDeployPages(page, product.url);
  await pages.connect(REPOSITORY);
  await expect(pages.submit).toBeVisible();
  await look('new deploy');
  await open(walk, `/ics/deploy/${id}`, 'the oven is cold');
  await open(walk, `/ics/deploy/${id}/settings`, 'Publish directory');
  await open(walk, '/ics/canisters', REPOSITORY);
  await open(walk, '/ics/dapps', 'n'.repeat(60));
  await open(walk, '/ics/dapps?state=live', 'No DApp matches');
}

/** The Candid page without a canister, and with a reply and an error on it. */
export async function candidScreens({ page, product, user, look }: Walk): Promise<void> {
  const id = await createCanister(user.api, 'Counter');
  await installModule(user.api, id, readFileSync(compileMotoko(counterSource)));
  const candid = new CandidPage(page);
  await candid.open(product.url);
  await look('Candid page without a canister');
  await candid.open(product.url, id);
  await candid.call('inc');
  await expect(candid.reply('inc')).toBeVisible();
  await candid.call('fail');
  await expect(
    candid
      .method('fail')
      .getByText(/no more/)
      .first(),
  ).toBeVisible();
  await look('Candid page');
}
