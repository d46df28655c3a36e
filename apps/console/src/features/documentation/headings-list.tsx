import { useEffect, useState } from 'react';
import { classNames } from '../../lib/class-names.ts';

export interface PageHeading {
  readonly id: string;
  readonly title: string;
  readonly level: number;
}

/** Below the bar of the page and some air, in pixels: a heading above it has been reached. */
const READING_LINE = 96;

/** The id of the heading whose text is being read. */
function useReached(headings: readonly PageHeading[]): string | undefined {
  const [reached, setReached] = useState<string>();
  useEffect(() => {
    const look = (): void => {
      const passed = headings.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top <= READING_LINE;
      });
      setReached((passed.at(-1) ?? headings[0])?.id);
    };
    look();
    document.addEventListener('scroll', look, { passive: true });
    return () => document.removeEventListener('scroll', look);
  }, [headings]);
  return reached;
}

/** The headings of a page; the one being read is marked. */
export function HeadingsList({ headings }: { headings: readonly PageHeading[] }) {
  const reached = useReached(headings);
  if (headings.length < 2) return null;
  return (
    <nav aria-label="On this page">
      <p className="text-xs font-medium text-muted">On this page</p>
      <ul className="mt-2 flex flex-col border-l border-line text-sm">
        {headings.map(({ id, title, level }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === reached ? 'location' : undefined}
              className={classNames(
                '-ml-px block border-l py-1 outline-offset-[-2px]',
                level > 2 ? 'pl-6' : 'pl-3',
                id === reached
                  ? 'border-accent font-medium text-accent'
                  : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
