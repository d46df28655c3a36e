import { useState } from 'react';

/** The part of a mutation that is used here. */
interface Change<T> {
  mutate(value: T, options: { onSettled: () => void }): void;
}

/**
 * What a control shows that changes something at the service: what was chosen last, until that call has ended, else what is known. A mutation
 * tells its state a task later, and a controlled input would jump back in between.
 */
export function useChosen<T>(known: T, change: Change<T>) {
  const [chosen, setChosen] = useState<{ readonly value: T }>();
  const choose = (value: T): void => {
    setChosen({ value });
    // Of several calls only the last one tells its end.
    change.mutate(value, { onSettled: () => setChosen(undefined) });
  };
  return { shown: chosen === undefined ? known : chosen.value, isChanging: chosen !== undefined, choose };
}
