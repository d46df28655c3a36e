import { type Chapter, plainText } from '@cannery/guide/blocks';
import { useMemo } from 'react';
import type { ChapterModule } from 'virtual:guide/contents';
import { Blocks } from './blocks.tsx';
import { PageFrame } from './page-frame.tsx';
import type { PageAddress } from './pages.ts';

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
