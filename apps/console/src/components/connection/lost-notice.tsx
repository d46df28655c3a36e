import { createContext, use, useEffect } from 'react';
import { holdKeys } from '../../lib/api/ask-once.ts';
import type { LostWrite } from '../../lib/connection/lost-writes.ts';
import { Notice } from '../ui/notice.tsx';

const Told = createContext(false);

/** Around what a dialog or form holds while it says itself that its call got no answer. */
export const SaysLost = Told.Provider;

/** Whether what is around says that the call got no answer, so that nothing else has to. */
export function useSaysLost(): boolean {
  return use(Told);
}

/** Inside a dialog or form whose call got no answer: what that means for a second try. */
export function LostNotice({ lost: { mayRepeat } }: { lost: LostWrite }) {
  // For as long as it says that nothing is done twice, a second try must be the same request.
  useEffect(() => (mayRepeat ? undefined : holdKeys()), [mayRepeat]);
  return (
    <div role="alert">
      <Notice tone="warn" title="No connection: the service did not answer.">
        <p className="text-pretty">
          {mayRepeat
            ? 'It may have happened: look before you try again. What you have entered stays.'
            : 'Try again when it is back: it is not done twice. What you have entered stays.'}
        </p>
      </Notice>
    </div>
  );
}
