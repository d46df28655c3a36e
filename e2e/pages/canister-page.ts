import type { Locator, Page } from '@playwright/test';

type ChosenFile = string | { name: string; mimeType: string; buffer: Buffer };

export class CanisterPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get dialog(): Locator {
    return this.#page.getByRole('dialog');
  }

  /** The value beside a label of the status block. */
  fact(label: string): Locator {
    return this.#page.locator('dt', { hasText: label }).locator('xpath=following-sibling::dd[1]');
  }

  get status(): Locator {
    return this.fact('Status');
  }

  get moduleHash(): Locator {
    return this.fact('Module Hash');
  }

  async chooseFile(file: ChosenFile): Promise<void> {
    if (!(await this.dialog.isVisible()))
      await this.#page.getByRole('button', { name: 'Install WASM' }).click();
    await this.dialog.locator('input[type="file"]').setInputFiles(file);
  }

  async confirmInstall(): Promise<void> {
    await this.dialog.getByRole('button', { name: /^(Install|Upgrade|Re-Install)$/ }).click();
  }

  async install(file: ChosenFile): Promise<void> {
    await this.chooseFile(file);
    await this.confirmInstall();
  }
}
