import { type Chapter, plainText } from '@cannery/guide/blocks';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { ChapterModule } from 'virtual:guide/contents';
import { paths } from '../../config/paths.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';
import { classNames } from '../../lib/class-names.ts';
import { Blocks } from './blocks.tsx';
import { neighbours, type PageAddress } from './pages.ts';

interface PageHeading {
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
function HeadingsList({ headings }: { headings: readonly PageHeading[] }) {
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

interface PageFrameProps {
  readonly title: string;
  readonly address: PageAddress;
  readonly headings: readonly PageHeading[];
  readonly children: ReactNode;
}

/** One page of the documentation: title, text, its headings beside it, and the ways to the pages before and after. */
export function PageFrame({ title, address, headings, children }: PageFrameProps) {
  usePageTitle(title);
  const [previous, next] = neighbours(address);
  const stepClass =
    'flex min-h-14 flex-1 basis-52 items-center gap-3 rounded-card border border-line bg-surface px-4 py-2 hover:border-control';
  return (
    <div className="flex min-w-0 flex-1 gap-10">
      <article
        key={`${address.section}/${address.page}`}
        className="min-w-0 max-w-[720px] flex-1 text-base leading-6"
      >
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <div className="mt-4 flex flex-col gap-4">{children}</div>
        <nav aria-label="Other pages" className="mt-12 flex flex-wrap gap-3 border-t border-line pt-6">
          {previous && (
            <Link to={paths.documentationPage} params={{ ...previous }} className={stepClass}>
              <ArrowLeft className="size-4 shrink-0 text-muted" aria-hidden="true" />
              <span>
                <span className="block text-xs text-muted">Previous</span>
                <span className="font-medium">{previous.title}</span>
              </span>
            </Link>
          )}
          {next && (
            <Link
              to={paths.documentationPage}
              params={{ ...next }}
              className={`${stepClass} justify-end text-right`}
            >
              <span>
                <span className="block text-xs text-muted">Next</span>
                <span className="font-medium">{next.title}</span>
              </span>
              <ArrowRight className="size-4 shrink-0 text-muted" aria-hidden="true" />
            </Link>
          )}
        </nav>
      </article>
      <div className="sticky top-20 hidden max-h-[calc(100dvh-6rem)] w-48 shrink-0 self-start overflow-y-auto @min-[1000px]:block">
        <HeadingsList headings={headings} />
      </div>
    </div>
  );
}

/** A chapter of the guide. */
export function ChapterPage({
  chapter,
  pictures,
  address,
}: {
  readonly chapter: Chapter;
  readonly pictures: ChapterModule['pictures'];
  readonly address: PageAddress;
}) {
  const headings = useMemo(
    () =>
      chapter.blocks.flatMap((block) =>
        block.type === 'heading' && block.level <= 3
          ? [{ id: block.id, level: block.level, title: plainText(block.children) }]
          : [],
      ),
    [chapter],
  );
  return (
    <PageFrame title={chapter.title} address={address} headings={headings}>
      <Blocks blocks={chapter.blocks} pictures={pictures} />
    </PageFrame>
  );
}
