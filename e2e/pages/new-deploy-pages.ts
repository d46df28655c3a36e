import type { Locator, Page } from '@playwright/test';

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

  tab(name: 'Template' | 'My repositories' | 'Git URL' | 'Push'): Locator {
    return this.#page.getByRole('tab', { name, exact: true });
  }

  /** Opens the page on a tab. */
  async openAt(type: string, name: Parameters<NewDeployPages['tab']>[0]): Promise<void> {
    await this.open(type);
    await this.tab(name).click();
  }

  /** What is shown instead of the repositories of a user who has none. */
  get prompt(): Locator {
    return this.#page.getByText('Connect a repository');
  }

  /** The rows of the user's repositories. */
  get repositories(): Locator {
    return this.#page.getByRole('list', { name: 'Repositories' }).getByRole('listitem');
  }

  /** Makes a repository from a starter template; ends on the filled form. */
  async useTemplate(type: string, title: string): Promise<void> {
    await this.openAt(type, 'Template');
    await this.#page
      .getByRole('listitem')
      .filter({ hasText: title })
      .getByRole('button', { name: 'Use template' })
      .click();
    await this.#page.waitForURL('**/ics/deploy/new**');
  }

  async connect(repository: string): Promise<void> {
    await this.tab('My repositories').click();
    await this.#page
      .getByRole('listitem')
      .filter({ hasText: repository })
      .getByRole('button', { name: 'Connect' })
      .click();
    await this.#page.waitForURL('**/ics/deploy/new**');
  }

  get repositoryUrl(): Locator {
    return this.#page.getByRole('tabpanel').getByLabel('Repository URL');
  }

  async continueWith(url: string): Promise<void> {
    await this.tab('Git URL').click();
    await this.repositoryUrl.fill(url);
    await this.#page.getByRole('button', { name: 'Continue' }).click();
  }

  /** What the choice handed to the form. */
  async handedOver(): Promise<unknown> {
    await this.#page.waitForURL('**/ics/deploy/new**');
    return this.#page.evaluate(() => {
      const { repo_name, owner, isPublic, url } = history.state as Record<string, unknown>;
      return { repo_name, owner, isPublic, url };
    });
  }

  get name(): Locator {
    return this.#page.getByLabel('Name', { exact: true });
  }

  get branch(): Locator {
    return this.#page.getByRole('combobox', { name: 'Branch' });
  }

  get buildCommand(): Locator {
    return this.#page.getByLabel('Build command');
  }

  get publishDirectory(): Locator {
    return this.#page.getByLabel('Publish directory');
  }

  get submit(): Locator {
    return this.#page.getByRole('main').getByRole('button', { name: /^Deploy(ing\.\.\.)?$/ });
  }

  async fill(values: { name?: string; buildCommand?: string; publishDirectory?: string }): Promise<void> {
    if (values.name !== undefined) await this.name.fill(values.name);
    if (values.buildCommand !== undefined) await this.buildCommand.fill(values.buildCommand);
    if (values.publishDirectory !== undefined) await this.publishDirectory.fill(values.publishDirectory);
  }

  async deploy(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Deploy', exact: true }).click();
  }
}
