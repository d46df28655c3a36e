import type { Locator, Page } from '@playwright/test';
import { ProductTable } from './product-table.ts';

/** The screens of the sample products. */
export class SampleProductsPage {
  readonly table: ProductTable;
  readonly #page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
    this.table = new ProductTable(page, 'Products');
  }

  get address(): string {
    return `${this.#url}/app/ecommerce/management`;
  }

  async open(): Promise<void> {
    await this.#page.goto(this.address);
  }

  get search(): Locator {
    return this.#page.getByRole('searchbox', { name: 'Search by title' });
  }

  get dialog(): Locator {
    return this.#page.getByRole('dialog');
  }

  get form(): Locator {
    return this.#page.getByRole('form', { name: 'Product' });
  }

  select(title: string): Locator {
    return this.#page.getByRole('checkbox', { name: `Select ${title}`, exact: true });
  }

  async fill(
    fields: Readonly<Record<'Title' | 'Subtitle' | 'Price in euros' | 'Rating', string>>,
  ): Promise<void> {
    for (const [label, value] of Object.entries(fields))
      await this.form.getByLabel(label, { exact: true }).fill(value);
  }
}
