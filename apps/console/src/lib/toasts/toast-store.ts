import { Store } from '../browser/store.ts';
import { type Said, stayOf, type ToastKind, type ToastName, toastTable } from './toast-table.ts';

const MAX_TOASTS = 3;

export interface ToastEntry {
  readonly id: number;
  readonly kind: ToastKind;
  readonly text: string;
  readonly hint: string | undefined;
  /** Milliseconds that it stays. */
  readonly stay: number;
}

/** The toasts on show, newest last and never more than three. Each goes after the time that the table gives it. */
export class ToastStore {
  readonly #entries = new Store<readonly ToastEntry[]>([]);
  #nextId = 1;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();

  readonly subscribe = this.#entries.subscribe;

  readonly get = this.#entries.get;

  /** Raises a toast of the table. */
  tell<Name extends ToastName>(
    name: Name,
    ...said: (typeof toastTable)[Name]['text'] extends string ? [Said<Name>?] : [Said<Name>]
  ): void {
    const [{ text, hint }] = [said[0] ?? {}] as [{ text?: string; hint?: string | undefined }];
    const { kind, text: usual } = toastTable[name];
    const entry = { id: this.#nextId++, kind, text: usual ?? text ?? '', hint, stay: stayOf(name) };
    this.#set([...this.get(), entry].slice(-MAX_TOASTS));
    this.release(entry.id);
  }

  /** Keeps a toast until it is released. */
  readonly hold = (id: number): void => {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  };

  /** Lets a toast go after its time, which begins now. */
  readonly release = (id: number): void => {
    this.hold(id);
    const entry = this.get().find((one) => one.id === id);
    if (entry !== undefined)
      this.#timers.set(
        id,
        setTimeout(() => this.dismiss(id), entry.stay),
      );
  };

  readonly dismiss = (id: number): void => this.#set(this.get().filter((entry) => entry.id !== id));

  #set(entries: readonly ToastEntry[]): void {
    for (const { id } of this.get()) if (entries.every((one) => one.id !== id)) this.hold(id);
    this.#entries.set(entries);
  }
}

/** The toasts of this page. */
export const toast = new ToastStore();
