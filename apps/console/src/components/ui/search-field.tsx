import { Search } from 'lucide-react';
import { controlClass } from './control-class.ts';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string;
}

export function SearchField({ label, value, onChange, className }: SearchFieldProps) {
  return (
    <span className={`relative block ${className ?? ''}`}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={controlClass('h-8 pl-8 text-sm')}
      />
    </span>
  );
}
