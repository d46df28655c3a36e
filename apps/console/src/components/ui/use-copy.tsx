import { lazy, type ReactNode, Suspense, useState } from 'react';
import { copyText } from '../../lib/browser/copy-text.ts';

const CopyByHand = lazy(async () => ({ default: (await import('./copy-by-hand.tsx')).CopyByHand }));

/** Copies a text; where the browser refuses, `byHand` shows it to be copied by hand. */
export function useCopy(): {
  /** @returns whether the text is in the clipboard */
  readonly copy: (text: string) => Promise<boolean>;
  readonly byHand: ReactNode;
} {
  const [refused, setRefused] = useState<string>();
  const copy = async (text: string): Promise<boolean> => {
    const isCopied = await copyText(text);
    if (!isCopied) setRefused(text);
    return isCopied;
  };
  const byHand = refused !== undefined && (
    // What happens in the dialog is no press on the row or card that the button is in.
    <span onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()}>
      <Suspense>
        <CopyByHand text={refused} onClose={() => setRefused(undefined)} />
      </Suspense>
    </span>
  );
  return { copy, byHand };
}
