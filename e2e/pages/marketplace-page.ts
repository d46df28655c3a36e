import type { Locator, Page } from '@playwright/test';

type ChosenFile = { name: string; mimeType: string; buffer: Buffer };

export interface DappInput {
  readonly name?: string;
  readonly gitUrl?: string;
  readonly description?: string;
  readonly version?: string;
  readonly notes?: string;
  readonly wasm?: ChosenFile;
  readonly icon?: ChosenFile;
}

/** The marketplace and the pages of its dapps. */
export class MarketplacePage {
  readonly #page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
  }

  async open(search = ''): Promise<void> {
    await this.#page.goto(`${this.#url}/ics/marketplace${search}`);
  }

  get cards(): Locator {
    return this.#page.getByRole('list', { name: 'DApps' }).getByRole('article');
  }

  card(name: string): Locator {
    return this.#page.getByRole('article', { name, exact: true });
  }

  get submitButton(): Locator {
    return this.#page.getByRole('button', { name: 'Submit DApp', exact: true });
  }

  /** The dialog that submits or updates a dapp. */
  get dialog(): Locator {
    return this.#page.getByRole('dialog', { name: /^(Submit|Update) / });
  }

  get save(): Locator {
    return this.dialog.getByRole('button', { name: /(Submit|Update)$/ });
  }

  field(name: 'Name' | 'Git URL' | 'Description' | 'Version' | 'What is new (optional)'): Locator {
    return this.dialog.getByLabel(name, { exact: true });
  }

  file(name: RegExp): Locator {
    return this.dialog.getByLabel(name).and(this.#page.locator('input[type="file"]'));
  }

  /** Fills what is given into the open dialog. */
  async fill(input: DappInput): Promise<void> {
    if (input.name !== undefined) await this.field('Name').fill(input.name);
    if (input.gitUrl !== undefined) await this.field('Git URL').fill(input.gitUrl);
    if (input.description !== undefined) await this.field('Description').fill(input.description);
    if (input.version !== undefined) await this.field('Version').fill(input.version);
    if (input.notes !== undefined) await this.field('What is new (optional)').fill(input.notes);
    if (input.wasm !== undefined) await this.file(/^WASM file/).setInputFiles(input.wasm);
    if (input.icon !== undefined) await this.file(/^Icon/).setInputFiles(input.icon);
  }

  /** Opens Update or Delete of a dapp. */
  async act(name: string, action: 'Update' | 'Delete'): Promise<void> {
    await this.#page.getByRole('button', { name: `Actions for ${name}` }).click();
    await this.#page.getByRole('menuitem', { name: action }).click();
  }

  async view(name: string): Promise<void> {
    await this.card(name).getByRole('link', { name: 'View', exact: true }).click();
    await this.#page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }

  /** A fact of the dapp's page, by its label. */
  fact(label: string): Locator {
    return this.#page.locator('dt', { hasText: label }).locator('xpath=following-sibling::dd[1]');
  }

  get installButton(): Locator {
    return this.#page.getByRole('button', { name: 'Install dApp', exact: true });
  }

  get installDialog(): Locator {
    return this.#page.getByRole('dialog', { name: 'Install DApp', exact: true });
  }

  get confirmInstall(): Locator {
    return this.installDialog.getByRole('button', { name: /^(Working )?Install$/ });
  }

  get instanceName(): Locator {
    return this.installDialog.getByLabel('Instance Name', { exact: true });
  }
}
