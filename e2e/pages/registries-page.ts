import type { Locator, Page } from '@playwright/test';
import { ProductTable } from './product-table.ts';

export class RegistriesPage {
  readonly table: ProductTable;
  readonly #page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
    this.table = new ProductTable(page, 'Registries');
  }

  async open(): Promise<void> {
    await this.#page.goto(`${this.#url}/ics/registries`);
  }

  get addButton(): Locator {
    return this.#page.getByRole('button', { name: 'Add new registry' });
  }

  get search(): Locator {
    return this.#page.getByRole('searchbox', { name: 'Search registries' });
  }

  get addDialog(): Locator {
    return this.#page.getByRole('dialog', { name: 'Add new registry' });
  }

  get editDialog(): Locator {
    return this.#page.getByRole('dialog', { name: 'Edit registry' });
  }

  get deleteDialog(): Locator {
    return this.#page.getByRole('dialog', { name: 'Are you sure you want to delete this registry?' });
  }

  /** Chooses an entry of a row's menu. */
  async choose(action: 'Edit' | 'Delete', name: string): Promise<void> {
    await this.table
      .row(name)
      .getByRole('button', { name: `Actions of ${name}` })
      .click();
    await this.#page.getByRole('menuitem', { name: action }).click();
  }
}
