import { useState } from 'react';
import { badRequestText } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';

/** Waits until settings are saved, and says what came of it. @returns whether they are */
export async function saveAndTell(saving: Promise<unknown>): Promise<boolean> {
  try {
    await saving;
    toast.tell('deploy: settings saved');
    return true;
  } catch (failure) {
    toast.tell('deploy: settings not saved', { text: badRequestText(failure) });
    return false;
  }
}

/** A setting that is saved as soon as it is changed. */
export interface Setting<T> {
  /** What the control shows. */
  readonly value: T;
  readonly isSaving: boolean;
  change(value: T): void;
}

/** @param saved as the service has it */
export function useSetting<T extends boolean | string>(
  saved: T,
  save: (value: T) => Promise<unknown>,
): Setting<T> {
  // Set in the event itself: the state of a mutation comes a moment later, and the control would jump back for it.
  const [wanted, setWanted] = useState<T>();
  return {
    value: wanted ?? saved,
    isSaving: wanted !== undefined,
    change(value) {
      setWanted(value);
      void saveAndTell(save(value)).then(() => setWanted(undefined));
    },
  };
}
