import type { Locator, Page } from '@playwright/test';

export class DeployPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get log(): Locator {
    return this.#page.getByRole('log');
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
