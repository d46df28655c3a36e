import type { Page } from '@playwright/test';

export class SignInPage {
  readonly #page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
  }

  /** Opens the console signed out, which leads to the sign-in page. */
  async open(): Promise<void> {
    await this.#page.goto(this.#url);
    await this.#page.waitForURL('**/login');
  }

  async signInAs(login: string): Promise<void> {
    await this.#page
      .getByRole('button', { name: 'Sign in with Google' })
      .or(this.#page.getByRole('link', { name: 'Sign in with Google' }))
      .click();
    await this.#page.locator('input[name="login"]').fill(login);
    await this.#page.getByRole('button', { name: 'Sign in' }).click();
    await this.#page.waitForURL('**/ics/dashboard');
  }
}
