import type { Locator, Page } from '@playwright/test';

type ChosenFile = string | { name: string; mimeType: string; buffer: Buffer };

/** What a canister's own page and the drawer of the card grid have in common. */
export class CanisterPage {
  readonly #page: Page;
  /** Where facts and actions stand: the page itself, or the drawer over it. */
  readonly #place: Page | Locator;

  constructor(page: Page, place: Page | Locator = page) {
    this.#page = page;
    this.#place = place;
  }

  get installDialog(): Locator {
    return this.#page.getByRole('dialog', { name: 'Install WASM' });
  }

  get topUpDialog(): Locator {
    return this.#page.getByRole('dialog', { name: 'Add Cycles' });
  }

  /** An action's button, also while a dialog covers it or a spinner stands over its label. */
  action(name: 'Run' | 'Start' | 'Stop' | 'Add Cycles' | 'Install WASM'): Locator {
    return this.#place
      .getByRole('button', { name: new RegExp(`^(Working )?${name}$`), includeHidden: true })
      .first();
  }

  /** The value beside a label of the status block. */
  fact(label: string): Locator {
    return this.#place.locator('dt', { hasText: label }).locator('xpath=following-sibling::dd[1]');
  }

  get status(): Locator {
    return this.fact('Status');
  }

  get moduleHash(): Locator {
    return this.fact('Module Hash');
  }

  async chooseFile(file: ChosenFile): Promise<void> {
    if (!(await this.installDialog.isVisible())) await this.action('Install WASM').click();
    await this.installDialog.locator('input[type="file"]').setInputFiles(file);
  }

  async confirmInstall(): Promise<void> {
    await this.installDialog.getByRole('button', { name: 'Install', exact: true }).click();
  }

  async install(file: ChosenFile): Promise<void> {
    await this.chooseFile(file);
    await this.confirmInstall();
  }

  get amount(): Locator {
    return this.topUpDialog.getByRole('spinbutton');
  }

  /** Opens the top-up input unless it is open, and confirms an amount; after an answer that got lost, once more. */
  async topUp(amount: string): Promise<void> {
    if (!(await this.topUpDialog.isVisible())) await this.action('Add Cycles').click();
    await this.amount.fill(amount);
    await this.topUpDialog.getByRole('button', { name: /^(?:Add Cycles|Try again)$/ }).click();
  }
}
