import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** One of the product's sortable, paged tables. */
export class ProductTable {
  readonly table: Locator;
  readonly rows: Locator;
  /** Rows per page and the way to other pages. */
  readonly #bar: Locator;

  constructor(page: Page, name: string) {
    this.table = page.getByRole('table', { name, exact: true });
    this.rows = this.table.locator('tbody').getByRole('row');
    this.#bar = this.table.locator('xpath=following-sibling::div[1]');
  }

  async expectHeadings(...headings: readonly string[]): Promise<void> {
    await expect(this.table.getByRole('columnheader')).toHaveText([...headings]);
  }

  row(text: string): Locator {
    return this.rows.filter({ hasText: text });
  }

  /** The cell of a column, in a row or in all of them. */
  cell(heading: string, row: Locator = this.table): Locator {
    return row.locator(`td[data-label="${heading}"]`);
  }

  column(heading: string): Promise<string[]> {
    return this.cell(heading).allInnerTexts();
  }

  /** Clicks a heading and waits for the rows, which follow a moment later. */
  async sortBy(heading: string): Promise<void> {
    const head = this.table.getByRole('columnheader', { name: heading, exact: true });
    const before = await head.getAttribute('aria-sort');
    await head.getByRole('button').click();
    await expect.poll(() => head.getAttribute('aria-sort'), { timeout: 25_000 }).not.toBe(before);
  }

  /** Clicks a heading twice: the shown column must be in the given order, then in the reverse one. */
  async expectSorting(heading: string, shown: string, ascending: readonly string[]): Promise<void> {
    const head = this.table.getByRole('columnheader', { name: heading, exact: true });
    await this.sortBy(heading);
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await expect(this.cell(shown), `${heading}, ascending`).toHaveText([...ascending]);
    await this.sortBy(heading);
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    await expect(this.cell(shown), `${heading}, descending`).toHaveText(ascending.toReversed());
  }

  /** The sizes on offer are 5, 10 and 25, with 5 at first; pages follow each other, forth and back. */
  async expectPaging(total: number): Promise<void> {
    const sizes = this.#bar.getByRole('combobox');
    await expect(sizes.getByRole('option')).toHaveText(['5', '10', '25']);
    await expect(sizes).toHaveValue('5');
    await expect(this.rows).toHaveCount(5);
    await this.#bar.getByRole('button', { name: 'Next page' }).click();
    await expect(this.rows).toHaveCount(Math.min(5, total - 5));
    await expect(this.#bar).toContainText(`6–${Math.min(10, total)} of ${total}`);
    await this.#bar.getByRole('button', { name: 'Previous page' }).click();
    await expect(this.#bar).toContainText(`1–5 of ${total}`);
    await expect(this.#bar.getByRole('button', { name: 'Previous page' })).toBeDisabled();
    await this.#bar.getByRole('button', { name: 'Next page' }).click();
    await expect(this.#bar).toContainText(`6–${Math.min(10, total)} of ${total}`);
    await this.showUpTo('10');
    await expect(this.rows).toHaveCount(Math.min(10, total));
    await this.showUpTo('25');
    await expect(this.rows).toHaveCount(Math.min(25, total));
  }

  /** Pages of a size follow each other up to the last row. */
  async expectPages(size: '5' | '10' | '25', total: number): Promise<void> {
    await this.showUpTo(size);
    const next = this.#bar.getByRole('button', { name: 'Next page' });
    for (let first = 1; first <= total; first += Number(size)) {
      if (first > 1) await next.click();
      const last = Math.min(first + Number(size) - 1, total);
      await expect(this.#bar).toContainText(`${first}–${last} of ${total}`);
      await expect(this.rows).toHaveCount(last - first + 1);
    }
    await expect(next).toBeDisabled();
  }

  async showUpTo(size: '5' | '10' | '25'): Promise<void> {
    await this.#bar.getByRole('combobox').selectOption(size);
  }
}
