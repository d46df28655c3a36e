import { startTransition, useEffect, useState } from 'react';
import { Store } from './store.ts';

/** Without a key for this long, in milliseconds, nobody types. */
const PAUSE_MS = 250;

const typing = new Store(false);

/** Notes whether somebody types: as `data-typing` of the document for styles, and for {@link useQuiet}. @returns what ends that */
export function watchTyping(): () => void {
  const { dataset } = document.documentElement;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const onPause = (): void => {
    delete dataset['typing'];
    typing.set(false);
  };
  const onKey = (): void => {
    clearTimeout(pause);
    pause = setTimeout(onPause, PAUSE_MS);
    dataset['typing'] = '';
    typing.set(true);
  };
  addEventListener('keydown', onKey, { capture: true });
  return () => {
    removeEventListener('keydown', onKey, { capture: true });
    clearTimeout(pause);
    onPause();
  };
}

/** A value for which much has to be drawn: a newer one is taken over once typing pauses, so that no key waits for that. */
export function useQuiet<Value>(value: Value): Value {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    const take = (): void => {
      if (!typing.get()) startTransition(() => setShown(value));
    };
    take();
    return typing.subscribe(take);
  }, [value]);
  return shown;
}
