import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';

interface SeenToast {
  readonly text: string;
  readonly shown: number;
  /** The same by the clock of the page, which a test may hold. */
  readonly at: number;
  hidden?: number;
}

declare global {
  interface Window {
    seenToasts?: SeenToast[];
  }
}

/** Watches the toasts of a page, with the moments of their coming and going. */
export class Toasts {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Starts watching; to be called before the page is opened. */
  async watch(): Promise<void> {
    await this.#page.addInitScript(() => {
      const seen: SeenToast[] = [];
      const shown = new Map<Element, SeenToast>();
      window.seenToasts = seen;
      const look = (): void => {
        const now = new Set(document.querySelectorAll('[data-kind]'));
        for (const [element, entry] of shown) {
          if (now.has(element)) continue;
          entry.hidden = performance.now();
          shown.delete(element);
        }
        for (const element of now) {
          if (shown.has(element)) continue;
          const entry = {
            text: element.querySelector('p')?.textContent ?? '',
            shown: performance.now(),
            at: Date.now(),
          };
          shown.set(element, entry);
          seen.push(entry);
        }
      };
      new MutationObserver(look).observe(document, { childList: true, subtree: true });
    });
  }

  async texts(): Promise<string[]> {
    return this.#page.evaluate(() => (window.seenToasts ?? []).map(({ text }) => text));
  }

  /** Waits until the toast has hidden by itself: it must have stayed for the given time. */
  async expectStay(text: string, milliseconds: number): Promise<void> {
    const stay = () =>
      this.#page.evaluate((wanted) => {
        const toast = (window.seenToasts ?? []).find((entry) => entry.text === wanted);
        return toast?.hidden === undefined ? 0 : toast.hidden - toast.shown;
      }, text);
    await expect.poll(stay, { message: `'${text}' hides` }).toBeGreaterThan(0);
    const stayed = await stay();
    // The stays are whole seconds apart. A busy page draws a toast a little after its time has begun.
    expect(stayed, `'${text}' stays`).toBeGreaterThan(milliseconds - 400);
    expect(stayed, `'${text}' stays`).toBeLessThan(milliseconds + 900);
  }

  /**
   * Holds the page's clock (`page.clock.install()` comes first) half a second before the toast should go, and lets it run
   * past that: a toast of another whole number of seconds is noticed, however busy the machine.
   */
  async expectStayByClock(text: string, milliseconds: number): Promise<void> {
    const toast = this.#page.locator('[data-kind]').filter({ hasText: text });
    await expect(toast).toBeVisible();
    const at = await this.#page.evaluate(
      (wanted) => (window.seenToasts ?? []).findLast((entry) => entry.text === wanted)?.at ?? 0,
      text,
    );
    await this.#page.mouse.move(2, 700);
    await this.#page.clock.pauseAt(at + milliseconds - 500);
    await expect(toast, `'${text}' stays`).toBeVisible();
    await this.#page.clock.runFor(600);
    await expect(toast, `'${text}' goes`).toBeHidden();
    await this.#page.clock.resume();
  }
}
