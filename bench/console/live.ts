import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Api, createApi, type Product, pushFolder, signIn, startProduct } from '@cannery/dev-env';
import type { Browser, Page } from '@playwright/test';
import { embeddedConnection } from '../../apps/server/src/db/postgres/embedded-postgres.ts';
import { startS3Service } from '../../apps/server/test/service/s3-service.ts';
import { createCanister, start, stop, topUp } from '../../e2e/support/canisters-of.ts';
import { createDeploy } from '../../e2e/support/deploys.ts';
import { type Section, spreadOf } from '../figures.ts';
import { useAllCores } from '../pinned.ts';
import { launchBrowser, openWindow } from './browser.ts';

const ROUNDS = 20;
const USER = 'ada';
/** How long a page may take to show what has happened, and a run to end, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Something that is done at one place, and shown by a page at another. */
interface Act {
  readonly what: string;
  /** Where it shows. */
  readonly address: string;
  /** What then is true of the page: an expression. */
  readonly shown: string;
  act(token: string): Promise<unknown>;
  /** Makes the next round possible. */
  undo?(page: Page): Promise<unknown>;
  /** Whether each round needs a session that it ends. */
  readonly endsSession?: true;
}

const isDeploying = `(document.querySelector('main h2 button[aria-expanded]')?.textContent ?? '').startsWith('Deploying')`;
const status = `[...document.querySelectorAll('dt')].find((one) => one.textContent === 'Status')?.nextElementSibling?.textContent`;
const balance = `document.querySelector('main dl')?.textContent`;

/** From the end of what somebody does, in a terminal or another browser, to the moment at which an open page shows it. */
export const live: Section = {
  title: 'Live',
  async run(report) {
    useAllCores();
    await using started = new AsyncDisposableStack();
    // Two servers of one database keep uploads in a bucket.
    const storage = started.use(await startS3Service());
    const env = {
      ...storage.settings,
      RATE_LIMIT: '100000',
      SIGN_IN_LIMIT: '1000',
      PUSHES_PER_MINUTE: '1000',
      SITE_PICTURES: 'off',
    };
    const product = await startProduct({ env: { ...env, OPENING_BALANCE_T: '1000' } });
    started.defer(() => product.dispose());
    const second = await startProduct({
      env: { ...env, DATABASE_URL: await databaseOf(product), IC_URL: product.networkUrl, WORKER: 'off' },
    });
    started.defer(() => second.dispose());
    const browser = await launchBrowser();
    started.defer(() => browser.close());
    const acts = await prepare(product, started);
    for (const [servers, watched] of [
      ['one server', product],
      ['two servers', second],
    ] as const) {
      for (const act of acts) {
        const delays = await rounds(browser, { act, product, watched });
        const what = `${act.what}, shown in another browser, ${servers}`;
        report({ what, unit: 'ms', spread: spreadOf(delays), goal: { atMost: 1_000 } });
      }
    }
  },
};

/** The address of the database that a product has brought, for another process of it. */
async function databaseOf({ dataDir }: Product): Promise<string> {
  const { host, user, password, database } = await embeddedConnection(dataDir);
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}`;
}

async function prepare(product: Product, started: AsyncDisposableStack): Promise<Act[]> {
  const api = createApi(product.url, await signIn(product.url, USER));
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-live-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  let count = 0;
  const push = (): Promise<string> => {
    count += 1;
    writeFileSync(path.join(folder, 'index.html'), `<h1>${count}</h1>`);
    return pushFolder({
      productUrl: product.url,
      api,
      folder,
      owner: USER,
      name: 'site',
      message: `Push ${count}`,
    });
  };
  await push();
  const canister = await createCanister(api, 'Watched');
  const deploy = await createDeploy(
    { name: USER, api },
    { name: 'site', repo_name: 'site', deploy_type: 'STATIC_SITE' },
  );
  await api.call('PATCH', `/deploy/${deploy}`, { on_push: true });
  for (let run = 0; run < 2; run += 1) {
    await push();
    await settled(api, deploy);
  }
  const undo = async (page: Page): Promise<void> => {
    await settled(api, deploy);
    await page.evaluate(momentOf(`!(${isDeploying})`));
  };
  const ofDeploy = { address: `/ics/deploy/${deploy}`, shown: isDeploying, undo };
  return [
    { what: 'git push that starts a run', ...ofDeploy, act: push },
    {
      what: 'rollback',
      ...ofDeploy,
      act: async () => {
        const { data } = await api.call<{ data: { id: string }[] }>('GET', `/deploy/${deploy}/instances`);
        await api.call('POST', `/deploy/${deploy}/instances/${data[1]?.id}/rollback`, {});
      },
    },
    {
      what: 'stop of a canister',
      address: `/ics/canister/${canister}`,
      shown: `/stopped/i.test(${status} ?? '')`,
      act: () => stop(api, canister),
      undo: async (page) => {
        await start(api, canister);
        await page.evaluate(momentOf(`/running/i.test(${status} ?? "")`));
      },
    },
    {
      what: 'top-up',
      address: '/ics/account',
      shown: `(${balance} ?? '') !== document.documentElement.dataset.before`,
      act: () => topUp(api, canister, 0.5),
    },
    {
      what: 'sign-out',
      address: '/ics/dashboard',
      shown: `location.pathname === '/login'`,
      act: (token) => createApi(product.url, token).request('POST', '/auth/logout'),
      endsSession: true,
    },
  ];
}

/** Waits until the runs of a deploy are over. */
async function settled(api: Api, deploy: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(100)) {
    const { data } = await api.call<{ data: { status: string }[] }>('GET', `/deploy/${deploy}/instances`);
    if (data.length > 0 && data.every(({ status: one }) => one === 'COMPLETED' || one === 'FAILED')) return;
  }
  throw new Error('A run did not end.');
}

async function rounds(
  browser: Browser,
  { act, product, watched }: { act: Act; product: Product; watched: Product },
): Promise<number[]> {
  const delays: number[] = [];
  let token = await signIn(product.url, USER);
  let page = await open(browser, { token, address: watched.url + act.address });
  for (let round = 0; round < ROUNDS; round += 1) {
    // The page has come to rest, so that what it shows next is what was done.
    await delay(1_000);
    await page.evaluate(`document.documentElement.dataset.before = ${balance} ?? ''`);
    if (await page.evaluate(act.shown)) throw new Error(`${act.what}: shown before it is done.`);
    const shownAt = page.evaluate<number>(momentOf(act.shown));
    await act.act(token);
    const doneAt = Date.now();
    delays.push(Math.max(0, (await shownAt) - doneAt));
    await act.undo?.(page);
    if (act.endsSession !== true || round === ROUNDS - 1) continue;
    await page.context().close();
    token = await signIn(product.url, USER);
    page = await open(browser, { token, address: watched.url + act.address });
  }
  await page.context().close();
  return delays;
}

/** A page of a session that hears of changes. */
async function open(browser: Browser, { token, address }: { token: string; address: string }): Promise<Page> {
  const page = await (await openWindow(browser)).newPage();
  await page.addInitScript((own) => {
    if (sessionStorage.getItem('seeded') === null) localStorage.setItem('token', own);
    sessionStorage.setItem('seeded', '1');
  }, token);
  const stream = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live');
  await page.goto(address);
  await stream;
  await page.locator('main h1').first().waitFor();
  return page;
}

/** An expression for the moment at which another one becomes true, in milliseconds since 1970, looked at whenever the page changes. */
function momentOf(expression: string): string {
  return `new Promise((resolve, reject) => {
    const look = () => { if (${expression}) { watcher.disconnect(); resolve(Date.now()); } };
    const watcher = new MutationObserver(look);
    watcher.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    setTimeout(() => reject(new Error('not shown')), ${PATIENCE_MS});
    look();
  })`;
}
