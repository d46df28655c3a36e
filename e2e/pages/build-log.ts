import type { Download, Locator, Page } from '@playwright/test';

/** The log of a run with its tools. */
export class BuildLog {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get view(): Locator {
    return this.#page.getByRole('log');
  }

  get search(): Locator {
    return this.#page.getByRole('searchbox', { name: 'Search the log' });
  }

  /** How many lines hold what is searched for, and which of them is shown. */
  get found(): Locator {
    return this.#page.getByRole('group', { name: 'Log tools' }).getByRole('status');
  }

  get current(): Locator {
    return this.view.locator('[data-current]');
  }

  get followButton(): Locator {
    return this.#page.getByRole('button', { name: 'Follow the log' });
  }

  get cancel(): Locator {
    return this.#page.getByRole('button', { name: 'Cancel', exact: true });
  }

  get phases(): Locator {
    return this.#page.getByRole('list', { name: 'Phases' }).getByRole('listitem');
  }

  tool(name: string | RegExp): Locator {
    return this.#page.getByRole('group', { name: 'Log tools' }).getByRole('button', { name });
  }

  line(number: number): Locator {
    return this.view.locator('[data-index]', {
      has: this.#page.getByRole('link', { name: `Line ${number}`, exact: true }),
    });
  }

  /** Lines that are laid out; the others are not there. */
  async rows(): Promise<number> {
    return this.view.locator('[data-index]').count();
  }

  async download(): Promise<Download> {
    const saved = this.#page.waitForEvent('download');
    await this.tool('Download log').click();
    return saved;
  }

  /** Pixels from the bottom. */
  async toBottom(): Promise<number> {
    return this.view.evaluate(
      ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
    );
  }
}
