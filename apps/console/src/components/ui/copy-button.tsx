import { Check, Copy } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { IconButton } from './icon-button.tsx';

/**
 * Puts a text in the clipboard. The one way of the console to copy.
 * @returns whether the browser has taken it: none does on a page without TLS, and some ask the user, who may refuse
 */
async function copyText(text: string): Promise<boolean> {
  // Absent where the page does not come from a trustworthy address, whatever the types say.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    await clipboard?.writeText(text);
    return clipboard !== undefined;
  } catch {
    return false;
  }
}

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

export interface CopyButtonProps {
  /** Or what makes it, when that is asked for. */
  readonly text: string | (() => string);
  readonly label: string;
  readonly onCopied?: () => void;
}

const SHOWN_MS = 1500;

/** Puts a text in the clipboard and shows a tick for a moment; where the browser refuses, the text to be copied by hand. */
export function CopyButton({ text, label, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const { copy: put, byHand } = useCopy();

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async (): Promise<void> => {
    if (!(await put(typeof text === 'string' ? text : text()))) return;
    setCopied(true);
    onCopied?.();
  };

  return (
    <>
      <IconButton
        size="small"
        label={label}
        onClick={(event) => {
          event.stopPropagation();
          void copy();
        }}
      >
        {copied ? <Check className="size-3.5 text-ok" /> : <Copy className="size-3.5" />}
      </IconButton>
      {byHand}
    </>
  );
}
