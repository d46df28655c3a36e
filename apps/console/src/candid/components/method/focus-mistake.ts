/** Brings the first input with a mistake into focus, in a text at the place of the mistake. */
export function focusMistake(within: HTMLElement | null): void {
  const wrong = within?.querySelector<HTMLElement>('[aria-invalid], [data-mistake]');
  if (!wrong) return;
  if (wrong.dataset['mistake'] !== undefined) {
    // A part without its own input: the button that opens it, or the choice of a variant.
    wrong.closest('fieldset')?.querySelector<HTMLElement>('button, select')?.focus();
    return;
  }
  wrong.focus();
  const place = wrong.dataset['place'];
  if (place === undefined || !(wrong instanceof HTMLTextAreaElement)) return;
  wrong.setSelectionRange(Number(place), Number(place) + 1);
}
