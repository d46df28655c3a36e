import { type Api, createApi, type Product, signIn, startProduct } from '@cannery/dev-env';
import { type Page, test as base } from '@playwright/test';
import { noteRequests } from './until-quiet.ts';

export { expect } from '@playwright/test';

interface Fixtures {
  /** A user of this test alone, signed in outside the browser. */
  readonly user: { readonly name: string; readonly api: Api };
  /** Puts the user's session into the page before it loads. */
  readonly signedIn: undefined;
}

let users = 0;

/**
 * Once a test has routed calls of a page, the browser goes on handing all its calls to Playwright, also when the test has
 * taken its routes away: a call that is made while the browser stops doing so may get lost.
 */
function keepRouting(page: Page): void {
  const route = page.route.bind(page);
  let isKept = false;
  page.route = async (...args) => {
    if (!isKept) {
      isKept = true;
      await page.context().route('https://never.invalid/', (unused) => unused.abort());
    }
    return route(...args);
  };
}

interface WorkerFixtures {
  /** Environment variables of the product: a file with another product gives others. */
  readonly settings: Readonly<Record<string, string>>;
  readonly product: Product;
}

/** Tests share one running product for each worker; every test has its own user. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  settings: [{}, { scope: 'worker', option: true }],
  product: [
    async ({ settings }, use) => {
      const product = await startProduct({ env: settings });
      await use(product);
      await product.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  page: async ({ page }, use) => {
    noteRequests(page);
    keepRouting(page);
    await use(page);
  },
  user: async ({ product }, use) => {
    users += 1;
    const name = `user-${process.pid}-${users}`;
    await use({ name, api: createApi(product.url, await signIn(product.url, name)) });
  },
  signedIn: [
    async ({ page, user }, use) => {
      await page.addInitScript((token) => {
        // Only the first page of a context: a sign-out must stay a sign-out.
        if (sessionStorage.getItem('seeded') === null) {
          sessionStorage.setItem('seeded', '1');
          localStorage.setItem('token', token);
        }
      }, user.api.token);
      await use(undefined);
    },
    { scope: 'test' },
  ],
});
