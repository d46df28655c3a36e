/** Milliseconds a toast stays: everywhere, on the canister and deploy screens, and after an install. */
export const toastDurations = {
  default: 4000,
  canister: 2000,
  deploy: 2000,
  install: 3000,
  snackbar: 3000,
} as const;

export const MAX_TOASTS = 3;

export interface ToastEntry {
  readonly id: number;
  readonly kind: 'success' | 'error' | 'info';
  readonly text: string;
  /** What to do next, in small type. */
  readonly hint?: string;
  readonly duration: number;
}

type ToastOptions = Partial<Pick<ToastEntry, 'duration' | 'hint'>>;

/** The toasts on show, newest last and never more than three. */
export class ToastStore {
  #entries: readonly ToastEntry[] = [];
  #nextId = 1;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly entries = (): readonly ToastEntry[] => this.#entries;

  readonly success = (text: string, options?: ToastOptions): void => this.#add('success', text, options);

  readonly error = (text: string, options?: ToastOptions): void => this.#add('error', text, options);

  readonly info = (text: string, options?: ToastOptions): void => this.#add('info', text, options);

  readonly dismiss = (id: number): void => this.#set(this.#entries.filter((entry) => entry.id !== id));

  #add(kind: ToastEntry['kind'], text: string, options: ToastOptions = {}): void {
    const entry = { id: this.#nextId++, kind, text, duration: toastDurations.default, ...options };
    this.#set([...this.#entries, entry].slice(-MAX_TOASTS));
  }

  #set(entries: readonly ToastEntry[]): void {
    this.#entries = entries;
    for (const listener of this.#listeners) listener();
  }
}

/** The toasts of this page. */
export const toast = new ToastStore();
