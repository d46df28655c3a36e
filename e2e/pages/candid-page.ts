import type { Locator, Page } from '@playwright/test';

export class CandidPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(url: string, id?: string): Promise<void> {
    await this.page.goto(`${url}/candid/${id === undefined ? '' : `?id=${id}`}`);
  }

  method(name: string): Locator {
    return this.page.getByRole('article', { name, exact: true });
  }

  async call(name: string): Promise<void> {
    await this.method(name)
      .getByRole('button', { name: /^(Call|Query)$/ })
      .click();
  }

  reply(name: string): Locator {
    return this.method(name).getByRole('status');
  }
}
