import { useEffect, useRef, useState } from 'react';
import { SearchField } from './search-field.tsx';

interface ListSearchProps {
  readonly label: string;
  /** What the list shows. */
  readonly shown: string;
  /** Told what is searched for; the list may follow later. */
  readonly onSearch: (text: string) => void;
  readonly className?: string;
}

/** The search of a list: what is typed shows at once, also while thousands of rows are gone through. */
export function ListSearch({ label, shown, onSearch, className }: ListSearchProps) {
  const [text, setText] = useState(shown);
  /** What the list may still come to show of what was typed here. */
  const asked = useRef([shown]);
  useEffect(() => {
    const place = asked.current.indexOf(shown);
    // A search that was not typed here: the address has changed.
    if (place === -1) setText(shown);
    asked.current = place === -1 ? [shown] : asked.current.slice(place);
  }, [shown]);
  return (
    <SearchField
      label={label}
      value={text}
      onChange={(next) => {
        setText(next);
        asked.current.push(next);
        onSearch(next);
      }}
      answersFind
      className={className}
    />
  );
}
