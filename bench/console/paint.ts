import { fileURLToPath } from 'node:url';
import { type Api, createApi, type Product, pushFolder, signIn, startProduct } from '@cannery/dev-env';
import type { Browser, Page } from '@playwright/test';
import { createCanister } from '../../e2e/support/canisters-of.ts';
import { layoutShift, NOT_MOVED } from '../../e2e/support/layout-shift.ts';
import { type Section, spreadOf } from '../figures.ts';
import { onCore, SERVER_CORE, useAllCores } from '../pinned.ts';
import { launchBrowser, openWindow } from './browser.ts';

const LOADS = 5;
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SITE = fileURLToPath(new URL('../../examples/static-site', import.meta.url));
/** How long a run of a plain site may take, in milliseconds. */
const RUN_MS = 60_000;

/** The phone that Lighthouse pretends to be: a slow 4G link (1.6 Mbit/s down, 0.75 up, 150 ms) and a fourth of the speed. */
const SLOW_PHONE = {
  link: { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 },
  cpuRate: 4,
};
/** A task blocks a person for as much of it as is beyond this, in milliseconds (Total Blocking Time). */
const BLOCKING_FROM_MS = 50;

/** Milliseconds until the largest part was painted, and for which tasks blocked a person. */
interface Painted {
  lcp: number;
  blocked: number;
}

declare global {
  interface Window {
    painted?: Painted;
  }
}

/** When the sign-in page is painted, and how steady each page is while it comes. */
export const paint: Section = {
  title: 'Paint',
  async run(report) {
    useAllCores();
    await using started = new AsyncDisposableStack();
    const product = await startProduct({ command: (program, args) => onCore(SERVER_CORE, program, args) });
    started.defer(() => product.dispose());
    const browser = await launchBrowser();
    started.defer(() => browser.close());
    const plain = await signInPage(product, false);
    report({
      what: 'LCP of /login, empty cache',
      unit: 'ms',
      spread: spreadOf(plain.map(({ lcp }) => lcp)),
    });
    const slow = await signInPage(product, true);
    report({
      what: 'LCP of /login, slow phone',
      unit: 'ms',
      spread: spreadOf(slow.map(({ lcp }) => lcp)),
      goal: { atMost: 1_500 },
    });
    report({
      what: 'blocking time of /login, slow phone',
      unit: 'ms',
      spread: spreadOf(slow.map(({ blocked }) => blocked)),
      goal: { atMost: 250 },
    });
    const api = createApi(product.url, await signIn(product.url, 'bench'));
    for (const [address, shown] of await furnish(product, api)) {
      const shifts = [];
      for (const size of [DESK, PHONE])
        shifts.push(await shiftOf(browser, product, api, { address, shown, size }));
      report({
        what: `CLS of ${address.replace(/[a-z0-9]{5}(-[a-z0-9]{3,5}){4}|[0-9a-f-]{36}/, '$id')}, 1440 and 390 px`,
        unit: '',
        spread: spreadOf([Math.max(...shifts)]),
        goal: { atMost: NOT_MOVED },
      });
    }
  },
};

/** Keeps from now on what the browser tells of painting and of long tasks. */
async function watchPaint(page: Page): Promise<void> {
  await page.addInitScript((blockingFrom) => {
    const painted = { lcp: 0, blocked: 0 };
    window.painted = painted;
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) painted.lcp = startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) painted.blocked += duration - blockingFrom;
    }).observe({ type: 'longtask', buffered: true });
  }, BLOCKING_FROM_MS);
}

/**
 * Loads of the sign-in page, each in a browser that was just started: Chromium without a screen tells of the largest
 * paint in its first window only.
 * @throws Error when nothing was painted: no paint would count as an early one
 */
async function signInPage({ url }: Product, slow: boolean): Promise<Painted[]> {
  const loads: Painted[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    const browser = await launchBrowser();
    const context = await openWindow(browser);
    const page = await context.newPage();
    await watchPaint(page);
    if (slow) {
      await page.setViewportSize(PHONE);
      const client = await context.newCDPSession(page);
      await client.send('Network.enable');
      await client.send('Network.emulateNetworkConditions', SLOW_PHONE.link);
      await client.send('Emulation.setCPUThrottlingRate', { rate: SLOW_PHONE.cpuRate });
    }
    await page.goto(`${url}/login`, { waitUntil: 'networkidle' });
    await page.getByText('Sign in with Google').first().waitFor();
    const painted = await page.evaluate(() => window.painted);
    await browser.close();
    if (!painted?.lcp) throw new Error('The sign-in page was not painted.');
    loads.push(painted);
  }
  return loads;
}

/** How far a page jumps while it comes, in a window with an empty cache. */
async function shiftOf(
  browser: Browser,
  { url }: Product,
  { token }: Api,
  { address, shown, size }: { address: string; shown: string; size: { width: number; height: number } },
): Promise<number> {
  const context = await openWindow(browser, token);
  try {
    const page = await context.newPage();
    await page.setViewportSize(size);
    await page.goto(url + address, { waitUntil: 'networkidle' });
    await page.getByText(shown).filter({ visible: true }).first().waitFor();
    return await layoutShift(page);
  } finally {
    await context.close();
  }
}

/** Gives the user something of each kind. @returns the addresses of the pages, each with a text that is there at the end */
async function furnish(product: Product, api: Api): Promise<(readonly [address: string, shown: string])[]> {
  const { name: owner } = await api.call<{ name: string }>('GET', '/user/profile');
  const id = await createCanister(api, 'Bakery');
  const { identifier } = await api.call<{ identifier: string }>('POST', '/document/sample');
  await api.call('POST', '/canister/install', { canister_id: id, identifier, mode: 'install' });
  await api.call('POST', '/registry/add', { name: 'Counter', identifier });
  const { data: dapp } = await api.call<{ data: string }>('POST', '/marketplace/samples', { sample: 'Poll' });
  await pushFolder({ productUrl: product.url, api, folder: SITE, owner, name: 'site' });
  const deploy = await deployOf(api, owner);
  return [
    ['/ics/dashboard', 'CANISTER CREATE'],
    ['/ics/canisters', 'Rows per page'],
    [`/ics/canister/${id}`, 'Delete this canister'],
    [`/ics/canister/${id}?tab=call`, 'describe'],
    [`/ics/canister/${id}?tab=settings`, 'Controllers'],
    [`/ics/canister/${id}?tab=history`, 'by '],
    ['/ics/registries', 'Counter'],
    ['/ics/marketplace', 'Poll'],
    [`/ics/dapp/${dapp}`, 'Poll'],
    ['/ics/account', 'CANISTER CREATE'],
    ['/ics/deploy?type=STATIC_SITE', 'Your repositories'],
    ['/ics/deploy?type=MOTOKO', 'Your repositories'],
    [`/ics/deploy/${deploy}`, 'is live for'],
    [`/ics/deploy/${deploy}/settings`, 'Publish directory'],
    ['/ics/pipelines/create', 'Create new pipeline'],
    [`/candid/?id=${id}`, 'describe'],
    ['/documentation/getting-started/quick-start', 'Quick start'],
    ['/app', 'Moon over the cellar'],
    ['/app/users', 'Vera Lindqvist'],
  ];
}

async function deployOf(api: Api, owner: string): Promise<string> {
  const deploy = await api.call<{ id: string }>('POST', '/deploy', {
    name: 'site',
    repo_name: 'site',
    owner,
    branch: 'main',
    is_public: false,
    deploy_type: 'STATIC_SITE',
    publish_directory: '.',
  });
  const run = await api.call<{ id: string }>('POST', `/deploy/${deploy.id}/trigger`);
  const end = performance.now() + RUN_MS;
  while (performance.now() < end) {
    const { status } = await api.call<{ status: string }>('GET', `/deploy/${deploy.id}/instances/${run.id}`);
    if (status === 'COMPLETED') return deploy.id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The site of the bench was not deployed.');
}
