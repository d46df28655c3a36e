import { expect, type Locator, type Page } from '@playwright/test';

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

  /** Opens a method by its link, with a fresh form. */
  async show(name: string): Promise<Locator> {
    await this.page.evaluate(
      (hash) => {
        location.hash = '';
        location.hash = hash;
      },
      `#${encodeURIComponent(name)}`,
    );
    const method = this.method(name);
    await expect(method.getByRole('button', { expanded: true }).first()).toBeVisible();
    return method;
  }

  /** Gives the arguments of a method as text and calls it. */
  async callWith(name: string, args: string): Promise<void> {
    const method = await this.show(name);
    await method.getByRole('button', { name: 'As text' }).click();
    await this.text(name).fill(args);
    await this.call(name);
  }

  text(name: string): Locator {
    return this.method(name).getByLabel('Arguments as Candid text');
  }

  /** Chooses how the reply of a method is shown. */
  async view(name: string, view: 'Text' | 'JSON' | 'Tree' | 'Hex'): Promise<void> {
    const ways = this.reply(name).getByRole('group', { name: 'How the reply is shown' });
    await ways.getByText(view, { exact: true }).click();
  }

  get history(): Locator {
    return this.page.getByRole('region', { name: 'History of calls' });
  }

  reply(name: string): Locator {
    return this.method(name).getByRole('status');
  }
}
