import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { expect } from '../support/product.ts';
import type { WalkedProduct } from './walked-product.ts';

const runFile = promisify(execFile);
const COMMAND_MS = 60_000;
/** What a step names is there this soon; milliseconds. */
const CONTROL_MS = 20_000;

/** A text as a part of a pattern that finds it. */
export const quoted = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Somebody who has a browser, a terminal and the guide, and does what it says. */
export class Newcomer {
  readonly product: WalkedProduct;
  /** Where the terminal is. */
  readonly folder: string;
  readonly #name: string;
  readonly #pictures: string | undefined;
  readonly #pages: Page[];
  readonly #environment: Record<string, string> = {};
  #isInProject = false;
  /** What a step has just shown; nothing once another is carried out. */
  seen: Locator | undefined;

  constructor(options: {
    product: WalkedProduct;
    context: BrowserContext;
    page: Page;
    name: string;
    folder: string;
    /** Where pictures of the screen are kept; nowhere unless given. */
    pictures?: string;
  }) {
    this.product = options.product;
    this.#name = options.name;
    this.#pictures = options.pictures;
    options.page.setDefaultTimeout(CONTROL_MS);
    this.#pages = [options.page];
    this.folder = options.folder;
    options.context.on('page', (page) => {
      page.setDefaultTimeout(CONTROL_MS);
      this.#pages.push(page);
    });
  }

  /** The tab in front. */
  get page(): Page {
    const page = this.#pages.at(-1);
    if (!page) throw new Error('No tab is open.');
    return page;
  }

  /** The text with this product's addresses and this user instead of those that the guide names. */
  own(text: string): string {
    return text.replaceAll('http://localhost:4000', this.product.url).replaceAll(/\bada\b/g, this.#name);
  }

  /** What lies over the page, or else the page. */
  async #place(): Promise<Page | Locator> {
    // One that is closing is seen for a moment longer.
    const dialog = this.page.getByRole('dialog').and(this.page.locator(':not([data-closed])')).last();
    return (await dialog.count()) > 0 ? dialog : this.page;
  }

  /** What can be pressed, by its whole name. */
  async control(name: string, inside?: Locator): Promise<Locator> {
    const place = inside ?? (await this.#place());
    const roles = ['button', 'link', 'tab', 'menuitem', 'radio', 'checkbox'] as const;
    // A button may carry a longer name for who cannot see where it stands.
    const written = place.locator('button, a').filter({ hasText: new RegExp(`^\\s*${quoted(name)}\\s*$`) });
    return roles
      .map((role) => place.getByRole(role, { name, exact: true }))
      .reduce((all, next) => all.or(next), written)
      .filter({ visible: true })
      .first();
  }

  /** What carries a name on the page: a method, a dapp. */
  part(name: string): Locator {
    return this.page.getByRole('article', { name, exact: true });
  }

  /** The smallest entry of a list or table with a text. */
  entry(text: string): Locator {
    const entries = this.page.getByRole('listitem').or(this.page.getByRole('row'));
    return entries.filter({ hasText: text }).filter({ visible: true }).last();
  }

  async field(label: string): Promise<Locator> {
    return (await this.#place()).getByLabel(label, { exact: true });
  }

  /** Waits for the tab that the last press opened. */
  async newTab(): Promise<void> {
    await expect.poll(() => this.#pages.length, { message: 'a new tab opens' }).toBeGreaterThan(1);
    await this.page.waitForLoadState();
  }

  async closeTab(): Promise<void> {
    await this.#pages.pop()?.close();
  }

  /** From now on git is answered with a name and with what is in the clipboard. */
  async answerGit(username: string): Promise<void> {
    const secret = await this.page.evaluate(() => navigator.clipboard.readText());
    const program = path.join(this.folder, '.askpass');
    writeFileSync(
      program,
      `#!/bin/sh\ncase "$1" in Username*) echo '${username}' ;; *) echo '${secret}' ;; esac\n`,
    );
    chmodSync(program, 0o700);
    this.#environment['GIT_ASKPASS'] = program;
  }

  /** From now on the terminal has what is in the clipboard in a variable. */
  async keepSecret(variable: string): Promise<void> {
    this.#environment[variable] = await this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** The next commands are typed in the folder of the project. */
  goToProject(): void {
    this.#isInProject = true;
  }

  /** Types commands into a terminal, the first that fails ends them. */
  async run(commands: string): Promise<void> {
    const environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.folder,
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: this.#name,
      GIT_AUTHOR_EMAIL: `${this.#name}@example.com`,
      GIT_COMMITTER_NAME: this.#name,
      GIT_COMMITTER_EMAIL: `${this.#name}@example.com`,
      ...this.#environment,
    };
    // The guide is ours and meant for a shell, so a shell it is.
    await runFile('sh', ['-e', '-c', this.own(commands)], {
      cwd: this.#isInProject ? this.product.folder : this.folder,
      env: environment,
      timeout: COMMAND_MS,
    });
    this.#isInProject = false;
  }

  /** Keeps a picture of the screen, where pictures are kept, once its messages have gone; what was seen last is on it. */
  async look(picture: string): Promise<void> {
    if (this.#pictures === undefined) return;
    await expect(this.page.locator('[data-kind]')).toHaveCount(0);
    if (this.seen && (await this.seen.count()) > 0) await this.seen.scrollIntoViewIfNeeded();
    await this.page.mouse.move(0, 0);
    // A website has its picture a moment after it has gone live.
    for (const site of await this.page.getByTestId('site').all())
      await expect(site.getByTestId('site-picture')).toBeVisible();
    await this.page.screenshot({ path: path.join(this.#pictures, picture) });
  }
}
