import type { Section } from '@cannery/guide';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import { SearchField } from '../../components/ui/search-field.tsx';
import { paths } from '../../config/paths.ts';
import { findSections } from './find-sections.ts';
import { chapterAddress } from './pages.ts';

/** Searches all chapters; their texts travel when somebody first goes to the field. */
export function GuideSearch({ onFollow }: { readonly onFollow?: () => void }) {
  const [typed, setTyped] = useState('');
  const [sections, setSections] = useState<readonly Section[]>();
  const results = useRef<HTMLDivElement>(null);
  const found = sections && findSections(sections, typed);

  const load = async (): Promise<void> => {
    if (!sections) setSections((await import('virtual:guide/search')).sections);
  };
  const follow = (): void => {
    setTyped('');
    onFollow?.();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setTyped('');
    const links = [...(results.current?.querySelectorAll('a') ?? [])];
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) links[0]?.click();
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const at = links.findIndex((link) => link === document.activeElement);
    links[event.key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)]?.focus();
  };

  return (
    <div role="search" onFocus={() => void load()} onKeyDown={onKeyDown} className="relative">
      <SearchField label="Search the guide" value={typed} onChange={setTyped} />
      {typed.trim() !== '' && (
        <div
          ref={results}
          className="absolute inset-x-0 top-full z-10 mt-1 max-h-[70dvh] overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float md:w-96"
        >
          {found?.length === 0 && <p className="px-3 py-3 text-sm text-muted">No chapter has these words.</p>}
          <ul aria-label="Found">
            {found?.map(({ chapter, chapterTitle, id, title, excerpt }) => (
              <li key={`${chapter}#${id}`}>
                <Link
                  to={paths.documentationPage}
                  params={{ section: '', page: chapter, ...chapterAddress(chapter) }}
                  hash={id === '' ? undefined : id}
                  onClick={follow}
                  className="block rounded-control px-3 py-2 outline-offset-[-2px] hover:bg-ink/5"
                >
                  <span className="block text-sm font-medium">
                    {title}
                    {title !== chapterTitle && (
                      <span className="font-normal text-muted"> · {chapterTitle}</span>
                    )}
                  </span>
                  <span className="block text-xs text-pretty wrap-anywhere text-muted">{excerpt}</span>
                </Link>
              </li>
            ))}
          </ul>
          <p role="status" className="sr-only">
            {found?.length ?? 0} found
          </p>
        </div>
      )}
    </div>
  );
}
