import type { Page } from '@playwright/test';

/** The repository choice and the form behind it. */
export class NewDeployPages {
  readonly #page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
  }

  async open(type: string): Promise<void> {
    await this.#page.goto(`${this.#url}/ics/deploy?type=${type}`);
  }

  /** Makes a repository from a starter template; ends on the filled form. */
  async useTemplate(type: string, title: string): Promise<void> {
    await this.open(type);
    await this.#page
      .getByRole('listitem')
      .filter({ hasText: title })
      .getByRole('button', { name: 'Use template' })
      .click();
    await this.#page.waitForURL('**/ics/deploy/new**');
  }

  async connect(repository: string): Promise<void> {
    await this.#page
      .getByRole('listitem')
      .filter({ hasText: repository })
      .getByRole('button', { name: 'Connect' })
      .click();
    await this.#page.waitForURL('**/ics/deploy/new**');
  }

  async fill(values: { name?: string; buildCommand?: string; publishDirectory?: string }): Promise<void> {
    if (values.name !== undefined) await this.#page.getByLabel('Name', { exact: true }).fill(values.name);
    if (values.buildCommand !== undefined)
      await this.#page.getByLabel('Build command').fill(values.buildCommand);
    if (values.publishDirectory !== undefined)
      await this.#page.getByLabel('Publish directory').fill(values.publishDirectory);
  }

  async deploy(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Deploy', exact: true }).click();
  }
}
