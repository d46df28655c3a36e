import { badRequestText } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';

/** Waits until settings are saved. @returns whether they are */
export type Saver = (saving: Promise<unknown>) => Promise<boolean>;

/** A saver that says when settings could not be saved. */
export const saveQuietly: Saver = async (saving) => {
  try {
    await saving;
    return true;
  } catch (failure) {
    toast.tell('deploy: settings not saved', { text: badRequestText(failure) });
    return false;
  }
};

/** Says that settings are saved. */
export function tellSaved(): void {
  toast.tell('deploy: settings saved');
}

/** A saver that says what came of it. */
export const saveAndTell: Saver = async (saving) => {
  const isSaved = await saveQuietly(saving);
  if (isSaved) tellSaved();
  return isSaved;
};
