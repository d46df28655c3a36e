import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { controlClass } from './field.tsx';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string;
  /**
   * Ctrl/Cmd+F comes here first, because the browser finds only the rows of the page on show; pressed again it is the
   * browser's.
   */
  readonly answersFind?: boolean;
}

export function SearchField({ label, value, onChange, className, answersFind = false }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (!answersFind) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const asked = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'f';
      const busy =
        document.activeElement === input.current || document.querySelector('[role="dialog"]') !== null;
      if (!asked || busy) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [answersFind]);

  return (
    <span className={`relative block ${className ?? ''}`}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts={answersFind ? 'Control+F Meta+F' : undefined}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={controlClass('h-8 pl-8 text-sm')}
      />
    </span>
  );
}
