import type { Locator, Page } from '@playwright/test';
import { CanisterPage } from './canister-page.ts';
import { ProductTable } from './product-table.ts';

export class CanistersPage {
  readonly table: ProductTable;
  readonly dapps: ProductTable;
  readonly #page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
    this.table = new ProductTable(page, 'Canisters');
    this.dapps = new ProductTable(page, 'DApps');
  }

  async open(): Promise<void> {
    await this.#page.goto(`${this.#url}/ics/canisters`);
  }

  async showCards(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Show as cards' }).click();
  }

  get dialog(): Locator {
    return this.#page.getByRole('dialog');
  }

  /** Is in the toolbar and in the empty state, worded differently among table and cards. */
  get createButton(): Locator {
    return this.#page
      .getByRole('button', { name: /^(Create New Canister|Add Canister|Create Canister)$/i })
      .first();
  }

  async create(name: string): Promise<void> {
    await this.createButton.click();
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

  get cards(): Locator {
    return this.#page.locator('button[data-edge]');
  }

  /** Opens the drawer of a card. */
  async openCard(name: string): Promise<CanisterPage> {
    await this.cards.filter({ hasText: name }).click();
    return new CanisterPage(this.#page, this.drawer(name));
  }

  drawer(name: string): Locator {
    return this.#page.getByRole('dialog', { name, exact: true, includeHidden: true });
  }
}
