import type { Page } from '@playwright/test';
import { createCanister } from '../support/canisters-of.ts';
import { createSite, runDeploy } from '../support/deploys.ts';
import { expect, test } from '../support/product.ts';

/** A polled state that is older says so, in milliseconds. */
const OLDEST_MS = 6_000;
/** What a page of a busy machine takes to draw it. */
const DRAWN_MS = 1_500;

const asOf = (page: Page) => page.getByText(/^as of \d\d:\d\d$/);
const barOf = (page: Page) => page.getByText(/^No connection\. /);

interface Screen {
  readonly name: string;
  /** Of its page, when the test's things are named. */
  readonly address: (things: Things) => string;
  /** Address of the call that is made again and again. */
  readonly polled: RegExp;
}

interface Things {
  readonly canister: string;
  readonly deploy: string;
}

/** Every screen that fetches its state every few seconds. */
const screens: readonly Screen[] = [
  { name: 'canisters', address: () => '/ics/canisters', polled: /\/api\/canister\/list\// },
  { name: 'DApps', address: () => '/ics/canisters', polled: /\/api\/deploy\/?(\?.*)?$/ },
  { name: 'DApps alone', address: () => '/ics/dapps', polled: /\/api\/deploy\/?(\?.*)?$/ },
  { name: 'dashboard', address: () => '/ics/dashboard', polled: /\/api\/canister\/list\// },
  {
    name: 'logs of a canister',
    address: ({ canister }) => `/ics/canister/${canister}?tab=logs`,
    polled: /\/api\/canister\/logs\//,
  },
  {
    name: 'repositories to deploy',
    address: () => '/ics/deploy?type=STATIC_SITE&from=repositories',
    polled: /\/api\/deploy\/repos/,
  },
  {
    name: 'a run under way',
    address: ({ deploy }) => `/ics/deploy/${deploy}`,
    polled: /\/api\/deploy\/[\w-]+\/instances\/[\w-]+$/,
  },
];

test.describe.configure({ mode: 'default' });

for (const how of ['fails', 'is not answered'] as const) {
  for (const { name, address, polled } of screens) {
    test(`${name}: a state that is older than 6 s says so when its refresh ${how}`, async ({
      page,
      product,
      user,
      signedIn: _s,
    }) => {
      const canister = await createCanister(user.api, 'Watched');
      const deploy = name === 'a run under way' ? await createSite(product, user, 'watched-site') : '';
      if (deploy !== '') {
        await runDeploy(user, deploy);
        // The run is over; to the page it is still under way.
        await page.route(/\/api\/deploy\/[\w-]+\/instances(\/[\w-]+)?$/, async (route) => {
          const answer = await route.fetch();
          const text = (await answer.text()).replaceAll('"COMPLETED"', '"RUNNING"');
          await route.fulfill({ response: answer, body: text });
        });
      }
      let answeredAt = 0;
      page.on('response', (response) => {
        if (polled.test(response.url()) && response.ok()) answeredAt = Date.now();
      });
      await page.goto(`${product.url}${address({ canister, deploy })}`);
      await expect.poll(() => answeredAt).toBeGreaterThan(0);
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
      await page.route(polled, (route) =>
        how === 'fails' ? route.fulfill({ status: 500, json: {} }) : undefined,
      );
      await expect(asOf(page).first()).toBeVisible();
      expect(Date.now() - answeredAt, 'the age is said in time').toBeLessThan(OLDEST_MS + DRAWN_MS);
      await expect(barOf(page), 'other calls are answered').toBeHidden();
      await expect(page.locator('[data-kind]')).toHaveCount(0);
      if (how === 'fails') {
        await page.unroute(polled);
        await expect(asOf(page)).toHaveCount(0);
      }
    });
  }
}
