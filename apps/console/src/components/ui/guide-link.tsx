import { BookOpen } from 'lucide-react';
import { chapterAddress, type ChapterLink } from '../../config/chapters.ts';

/** Leads to a place in the guide, beside what is open: what was typed there, or went wrong there, stays. */
export function GuideLink({ chapter }: { readonly chapter: ChapterLink | undefined }) {
  if (chapter === undefined) return null;
  return (
    <a
      href={chapterAddress(chapter)}
      target="_blank"
      rel="noopener"
      className="inline-flex min-h-6 items-center gap-1.5 text-sm text-accent hover:underline max-sm:min-h-11"
    >
      <BookOpen className="size-3.5 shrink-0" aria-hidden="true" />
      <span>
        <span className="sr-only">Guide: </span>
        {chapter.title}
      </span>
    </a>
  );
}
