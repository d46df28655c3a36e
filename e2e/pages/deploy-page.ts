import type { Locator, Page } from '@playwright/test';

export class DeployPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get log(): Locator {
    return this.#page.getByRole('log');
  }

  get manualDeploy(): Locator {
    return this.#page.getByRole('button', { name: 'Manual Deploy' });
  }

  /** The heading of the newest run, which opens and closes its log. */
  get latest(): Locator {
    return this.#page.getByRole('main').locator('h2 button[aria-expanded]');
  }

  /** One row for each run, whatever lists its open log holds. */
  get earlier(): Locator {
    return this.#page.getByRole('list', { name: 'Earlier runs' }).locator('> li');
  }

  get name(): Locator {
    return this.#page.getByLabel('Name', { exact: true });
  }

  get buildCommand(): Locator {
    return this.#page.getByLabel('Build command');
  }

  get publishDirectory(): Locator {
    return this.#page.getByLabel('Publish directory');
  }

  get update(): Locator {
    return this.#page.getByRole('button', { name: 'Update' });
  }

  get discard(): Locator {
    return this.#page.getByRole('button', { name: 'Discard' });
  }

  /** Address of the first canister's site. */
  async publicUrl(): Promise<string> {
    return (
      (await this.#page
        .getByRole('link', { name: /\.localhost:/ })
        .first()
        .getAttribute('href')) ?? ''
    );
  }

  async canisterId(): Promise<string> {
    const href = await this.#page
      .getByRole('link', { name: 'Canister details' })
      .first()
      .getAttribute('href');
    return href?.split('/').at(-1) ?? '';
  }
}
