import type { Locator, Page } from '@playwright/test';

export class CanistersPage {
  readonly #page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
  }

  async open(): Promise<void> {
    await this.#page.goto(`${this.#url}/ics/canisters`);
  }

  get dialog(): Locator {
    return this.#page.getByRole('dialog');
  }

  async create(name: string): Promise<void> {
    await this.#page
      .getByRole('button', { name: /Create New Canister|Add Canister/ })
      .first()
      .click();
    await this.dialog.getByLabel('Name').fill(name);
    await this.#page.keyboard.press('Enter');
    await this.dialog.waitFor({ state: 'hidden' });
  }

  row(name: string): Locator {
    return this.#page.getByRole('row').filter({ hasText: name });
  }

  async openRow(name: string): Promise<void> {
    await this.row(name).click();
    await this.#page.waitForURL('**/ics/canister/*');
  }
}
