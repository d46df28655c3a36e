import { startTransition, useState } from 'react';
import { SearchField } from '../../components/ui/search-field.tsx';

interface CanisterSearchProps {
  readonly start: string;
  /** Told what is searched for, as soon as there is time. */
  readonly onSearch: (text: string) => void;
}

/** The search of the list: what is typed shows at once, also while thousands of canisters are gone through. */
export function CanisterSearch({ start, onSearch }: CanisterSearchProps) {
  const [text, setText] = useState(start);
  return (
    <SearchField
      label="Search canisters"
      value={text}
      onChange={(next) => {
        setText(next);
        startTransition(() => onSearch(next));
      }}
      answersFind
      className="w-48 max-sm:w-full"
    />
  );
}
