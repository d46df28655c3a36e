/** Keys that are pressed after the palette was asked for and before its code is there: they are meant for its field. */
export class TypedAhead {
  #typed: string | undefined;

  /** The palette was asked for. */
  begin(): void {
    this.#typed = '';
  }

  /** What was typed; from here on the field hears the keys itself. */
  readonly take = (): string => {
    const typed = this.#typed ?? '';
    this.#typed = undefined;
    return typed;
  };

  /** @returns whether the key was meant for the field */
  press({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (this.#typed === undefined || ctrlKey || metaKey || altKey) return false;
    if (key === 'Backspace') this.#typed = this.#typed.slice(0, -1);
    else if ([...key].length === 1) this.#typed += key;
    else return false;
    return true;
  }
}
