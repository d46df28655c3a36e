import { readFile } from 'node:fs/promises';
import type { Product } from '@cannery/dev-env';
import { HttpAgent } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import type { BrowserContext, Page } from '@playwright/test';
import {
  createCanister,
  installCode,
  installIdentity,
} from '../../canisters/system/identity/test/install.ts';
import { WHOAMI } from '../../canisters/system/identity/test/whoami.ts';
import { createDeploy, runDeploy } from '../support/deploys.ts';
import { compileMotoko } from '../support/motoko.ts';
import { expect, test } from '../support/product.ts';
import { type Owner, pushFiles } from '../support/repositories.ts';
import { siteFiles } from './site-files.ts';

test.describe.configure({ mode: 'serial' });

interface World {
  /** Where the sign-in is. */
  readonly provider: string;
  readonly olderProvider: string;
  readonly backend: string;
  /** Origins of sites that Cannery has deployed. */
  readonly shop: string;
  readonly bank: string;
}

let world: World;

async function deploySite(
  product: Product,
  user: Owner,
  name: string,
  files: Readonly<Record<string, string>>,
) {
  await pushFiles(product, user, name, files);
  const id = await createDeploy(user, { name, repo_name: name, deploy_type: 'STATIC_SITE' });
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  const { canisters } = await user.api.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
  return `http://${canisters[0]}.localhost:${new URL(product.networkUrl).port}`;
}

async function worldOf(product: Product, user: Owner): Promise<World> {
  const agent = await HttpAgent.create({
    host: product.networkUrl,
    identity: Ed25519KeyIdentity.generate(),
    shouldFetchRootKey: true,
  });
  const identity = await installIdentity(agent);
  const backend = await createCanister(agent);
  await installCode(agent, backend, new Uint8Array(await readFile(compileMotoko(WHOAMI))));
  const shop = await deploySite(product, user, 'shop', await siteFiles());
  const bank = await deploySite(product, user, 'bank', await siteFiles([shop]));
  const { port } = new URL(product.networkUrl);
  return {
    provider: `http://id.ai.localhost:${port}/authorize`,
    olderProvider: `http://${identity.toText()}.localhost:${port}`,
    backend: backend.toText(),
    shop,
    bank,
  };
}

test.beforeEach(async ({ product, user }) => {
  world ??= await worldOf(product, user);
});

interface Visit {
  readonly provider?: string;
  readonly path?: string;
  readonly derivation?: string;
  readonly target?: string;
}

/** Opens a site and clicks its button; resolves with the window that the client has opened. */
async function begin(
  page: Page,
  site: string,
  { path = '', provider = world.provider, ...more }: Visit = {},
) {
  const query = new URLSearchParams({ provider, backend: world.backend, ...more });
  await page.goto(`${site}/${path}?${query}`);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Sign in' }).click(),
  ]);
  return popup;
}

async function seen(page: Page): Promise<string> {
  await expect(page.getByRole('status')).toContainText(/Backend sees|Failed/);
  return (await page.getByRole('status').textContent()) ?? '';
}

async function signInByName(page: Page, site: string, name: string, visit: Visit = {}): Promise<string> {
  const popup = await begin(page, site, visit);
  await popup.getByLabel('Name').fill(name);
  await popup.getByRole('button', { name: 'Continue', exact: true }).click();
  return seen(page);
}

test('a deployed site signs in with the packages as they are, and its backend sees one principal', async ({
  page,
}) => {
  test.slow();
  const first = await signInByName(page, world.shop, 'alice');
  expect(first).toMatch(/^Backend sees [a-z0-9-]+-[a-z0-9]+$/);

  // The second time the account is there to choose.
  const popup = await begin(page, world.shop);
  await expect(popup.getByText(world.shop)).toBeVisible();
  await popup.getByRole('button', { name: /alice Name/ }).click();
  expect(await seen(page)).toBe(first);

  // Another site has another one; so has another account.
  expect(await signInByName(page, world.bank, 'alice')).not.toBe(first);
  expect(await signInByName(page, world.shop, 'bob')).not.toBe(first);

  // The older client, at the id of Internet Identity, gets the same.
  const older = { path: 'older.html', provider: world.olderProvider };
  expect(await signInByName(page, world.shop, 'alice', older)).toBe(first);
  expect(await signInByName(page, world.shop, 'alice', { target: world.backend })).toBe(first);
});

test('a passkey is an account, and the network knows it again', async ({ page, context }) => {
  const popup = await begin(page, world.shop);
  const created = await authenticator(context, popup);
  await popup.getByRole('button', { name: 'Create a passkey' }).click();
  const first = await seen(page);
  expect(first).toContain('Backend sees');
  const [credential] = created.credentials;
  expect(credential?.rpId).toBe('id.ai.localhost');
  if (!credential) return;

  // The passkey alone: what this browser had kept of it is not looked at.
  const again = await begin(page, world.shop);
  const { client, authenticatorId } = await authenticator(context, again);
  await client.send('WebAuthn.addCredential', { authenticatorId, credential });
  await again.getByRole('button', { name: 'Use a passkey' }).click();
  expect(await seen(page)).toBe(first);

  // As one of the accounts of this browser, at another site.
  const other = await begin(page, world.bank);
  const there = await authenticator(context, other);
  await there.client.send('WebAuthn.addCredential', { authenticatorId: there.authenticatorId, credential });
  await other.getByRole('button', { name: /^P?.*Passkey of .* Passkey$/ }).click();
  const atBank = await seen(page);
  expect(atBank).toContain('Backend sees');
  expect(atBank).not.toBe(first);

  // Without it there is no way in.
  const last = await begin(page, world.shop);
  await authenticator(context, last);
  await last.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(last.getByRole('alert')).toContainText('No passkey was given');
});

type Credential = {
  readonly credentialId: string;
  readonly isResidentCredential: boolean;
  readonly rpId?: string;
  readonly privateKey: string;
  readonly signCount: number;
};

/** Gives a window an authenticator, which is asked nothing; it is empty. */
async function authenticator(context: BrowserContext, popup: Page) {
  const client = await context.newCDPSession(popup);
  const credentials: Credential[] = [];
  client.on('WebAuthn.credentialAdded', ({ credential }) => void credentials.push(credential));
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { client, authenticatorId, credentials };
}

test('a site gets the principals of another one only where that one lists it', async ({ page }) => {
  const ofBank = await signInByName(page, world.bank, 'alice');
  // The bank lists the shop; the shop lists nobody.
  expect(await signInByName(page, world.shop, 'alice', { derivation: world.bank })).toBe(ofBank);
  await begin(page, world.bank, { derivation: world.shop });
  expect(await seen(page)).toContain('has no /.well-known/ii-alternative-origins');
  await begin(page, world.bank, {
    derivation: world.shop,
    path: 'older.html',
    provider: world.olderProvider,
  });
  expect(await seen(page)).toContain('has no /.well-known/ii-alternative-origins');
  const raw = world.bank.replace('.localhost', '.raw.localhost');
  await begin(page, world.shop, { derivation: raw });
  expect(await seen(page)).toContain('not certified');
});

test('only the window that has opened the page is answered, and no frame has the page', async ({ page }) => {
  await page.goto(`${world.shop}/`);
  const answers = await page.evaluate(
    async ({ provider, path }) => {
      const got: string[] = [];
      addEventListener('message', ({ data }) => void got.push(JSON.stringify(data)));
      const frame = document.createElement('iframe');
      frame.src = path;
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(frame);
      await loaded;
      const opened = window.open(provider, 'sign-in');
      Object.assign(window, { signIn: opened });
      const until = async (id: string): Promise<void> => {
        while (!got.some((each) => each.includes(`"${id}"`))) {
          opened?.postMessage({ jsonrpc: '2.0', id, method: 'icrc29_status' }, '*');
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      };
      await until('before');
      const inFrame: string[] = [];
      frame.contentWindow?.addEventListener('message', ({ data }) => void inFrame.push(JSON.stringify(data)));
      frame.contentWindow?.postMessage('ask', '*');
      // What the frame has sent was before this.
      await new Promise((resolve) => setTimeout(resolve, 500));
      await until('after');
      return {
        got: got.filter((each) => each.includes('frame')),
        inFrame: inFrame.filter((each) => each.includes('jsonrpc')),
      };
    },
    { provider: world.provider, path: 'frame.html' },
  );
  expect(answers).toEqual({ got: [], inFrame: [] });

  const framed = await page.evaluate(async (provider) => {
    const frame = document.createElement('iframe');
    frame.src = provider;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
    return frame.contentDocument === null;
  }, world.provider);
  expect(framed).toBe(true);
  expect(page.frames().filter((frame) => frame.url().startsWith(world.provider))).toEqual([]);
});

test('a name is text, whatever it says', async ({ page }) => {
  const name = '<img src=x onerror=alert(1)>';
  expect(await signInByName(page, world.shop, name)).toContain('Backend sees');
  const popup = await begin(page, world.shop);
  await expect(popup.getByRole('button', { name: `${name} Name` })).toBeVisible();
  expect(await popup.locator('#known img').count()).toBe(0);
  const closed = popup.waitForEvent('close');
  // The window may be gone before the click has been reported.
  await popup
    .getByRole('button', { name: 'Cancel' })
    .click()
    .catch((error: unknown) => {
      if (!popup.isClosed()) throw error;
    });
  await closed;
  expect(await seen(page)).toContain('cancelled');
});
