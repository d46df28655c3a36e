/** Where the dialog stands that asks before a registry is deleted. */
export type DeletionStep = 'closed' | 'open' | 'deleting';

export type DeletionEvent = 'asked' | 'confirmed' | 'cancelled' | 'succeeded' | 'refused' | 'lost';

/** closed -> open -> deleting -> closed, whether the deletion succeeds or is refused; without an answer it is open again. */
export function deletionStep(current: DeletionStep, event: DeletionEvent): DeletionStep {
  switch (event) {
    case 'asked':
      return current === 'closed' ? 'open' : current;
    case 'confirmed':
      return current === 'open' ? 'deleting' : current;
    case 'cancelled':
      return current === 'open' ? 'closed' : current;
    case 'lost':
      return current === 'deleting' ? 'open' : current;
    default:
      return current === 'deleting' ? 'closed' : current;
  }
}

/** Where the dialog stands that adds or updates a registry. */
export type SavingStep =
  | { readonly at: 'idle' }
  /** The file is on its way; `sent` and `total` in bytes. */
  | { readonly at: 'uploading'; readonly sent: number; readonly total: number }
  | { readonly at: 'saving' }
  | { readonly at: 'failed'; readonly error: unknown }
  | { readonly at: 'saved' };

/** Whether the dialog's controls are disabled. */
export function isBusy({ at }: SavingStep): boolean {
  return at === 'uploading' || at === 'saving';
}
