import { type UIEvent, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { classNames } from '../../../lib/class-names.ts';

/** Laying out more characters than this at once would hold up the page. */
const PART = 100_000;
/** This many pixels before the end of what is there the next part comes. */
const AHEAD = 1_000;

/** As much of a long text as has been scrolled to, for a box that scrolls. */
export function useGrowingText(text: string) {
  const [length, setLength] = useState(PART);
  return {
    shown: text.slice(0, length),
    onScroll: ({ currentTarget }: UIEvent<HTMLElement>): void => {
      const { scrollHeight, scrollTop, clientHeight } = currentTarget;
      if (length < text.length && scrollHeight - scrollTop - clientHeight < AHEAD) setLength(length + PART);
    },
  };
}

/** A longer text starts folded. */
const FOLDED_LINES = 24;
const FOLDED_CHARACTERS = 2400;

interface FoldedTextProps {
  readonly label: string;
  readonly text: string;
  /** Its greatest height and the room above and beneath it. */
  readonly className?: string;
}

/** A text to be read sign by sign; a long one shows its beginning until it is unfolded. */
export function FoldedText({ label, text, className = 'max-h-140 py-2' }: FoldedTextProps) {
  const [isOpen, setOpen] = useState(false);
  const { shown, onScroll } = useGrowingText(text);
  const beginning = text.split('\n', FOLDED_LINES).join('\n').slice(0, FOLDED_CHARACTERS);
  const isLong = beginning.length < text.length;
  return (
    <>
      <pre
        tabIndex={0}
        aria-label={label}
        onScroll={onScroll}
        className={classNames(
          'overflow-auto px-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap',
          className,
        )}
      >
        {isOpen ? shown : beginning}
        {isLong && !isOpen && '…'}
      </pre>
      {isLong && (
        <div className="px-3 pb-2">
          <Button size="small" onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Fold' : `Show all ${text.length.toLocaleString('en-US')} characters`}
          </Button>
        </div>
      )}
    </>
  );
}
