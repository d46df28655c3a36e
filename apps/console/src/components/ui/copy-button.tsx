import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { useCopy } from './use-copy.tsx';

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
