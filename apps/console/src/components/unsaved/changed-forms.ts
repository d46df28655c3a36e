import { useEffect, useRef } from 'react';
import { Store } from '../../lib/browser/store.ts';

/** What the bar of the page does with a form. */
interface Savable {
  /** Whether what the form says can be saved as it is. */
  readonly canSave: boolean;
  /** @returns whether it is saved; where it is not, the form says why */
  save(): Promise<boolean>;
  /** Goes back to what is saved. */
  discard(): void;
}

/** A form of the page that differs from what is saved. */
export interface ChangedForm {
  /** What it is called on the page. */
  readonly name: string;
  /** Undefined for a form with its own bar. */
  readonly bar: Savable | undefined;
}

/** The forms of the open page that are changed. */
export const changedForms = new Store<readonly ChangedForm[]>([]);

/** Names as a sentence lists them: 'A', 'A and B', 'A, B and C'. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

interface FormState {
  readonly name: string;
  /** Whether it differs from what is saved: what was typed and taken back is no change. */
  readonly isChanged: boolean;
  readonly bar?: Savable;
}

/** Tells the page of a form while it is changed, so that nobody leaves it by mistake. */
export function useChangedForm({ name, isChanged, bar }: FormState): void {
  const latest = useRef(bar);
  useEffect(() => {
    latest.current = bar;
  });
  const hasBar = bar !== undefined;
  const canSave = bar?.canSave === true;
  useEffect(() => {
    if (!isChanged) return;
    const form: ChangedForm = {
      name,
      bar: hasBar
        ? {
            canSave,
            save: async () => (await latest.current?.save()) === true,
            discard: () => latest.current?.discard(),
          }
        : undefined,
    };
    changedForms.set([...changedForms.get(), form]);
    return () => changedForms.set(changedForms.get().filter((other) => other !== form));
  }, [name, isChanged, hasBar, canSave]);
}
