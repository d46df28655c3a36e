import { Store } from '../../../lib/browser/store.ts';

/** Keys that are pressed after the palette was asked for and before it is there: they are meant for its field. */
export class TypedAhead {
  /** Undefined while nobody has asked for it. */
  readonly #typed = new Store<string | undefined>(undefined);

  readonly subscribe = this.#typed.subscribe;

  /** What was typed. */
  readonly get = (): string => this.#typed.get() ?? '';

  /** The palette was asked for, perhaps again. */
  begin(): void {
    this.#typed.set(this.get());
  }

  /** The field has it, or is gone. */
  readonly end = (): void => this.#typed.set(undefined);

  /** @returns whether the key was meant for the field */
  press({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (this.#typed.get() === undefined || ctrlKey || metaKey || altKey) return false;
    if (key === 'Backspace') this.#typed.set(this.get().slice(0, -1));
    else if ([...key].length === 1) this.#typed.set(this.get() + key);
    else return false;
    return true;
  }
}
