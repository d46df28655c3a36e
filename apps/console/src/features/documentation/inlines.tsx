import type { Inline } from '@cannery/guide';
import { Link } from '@tanstack/react-router';
import type { ChapterModule } from 'virtual:guide/contents';
import { paths } from '../../config/paths.ts';
import { chapterAddress } from './pages.ts';

const linkClass = 'text-accent underline decoration-accent/40 underline-offset-3 hover:decoration-accent';

interface InlinesProps {
  readonly inlines: readonly Inline[];
  readonly pictures: ChapterModule['pictures'];
}

/** A link as the Markdown has it: outside, to a chapter, or to a file that only a git host shows, which stays text. */
function GuideLink({ href, inlines, pictures }: InlinesProps & { readonly href: string }) {
  const children = <Inlines inlines={inlines} pictures={pictures} />;
  if (/^https?:\/\//.test(href)) {
    return (
      <a href={href} target="_blank" rel="noreferrer" className={linkClass}>
        {children}
      </a>
    );
  }
  const [file = '', hash] = href.split('#');
  if (file === '') {
    return (
      <a href={`#${hash}`} className={linkClass}>
        {children}
      </a>
    );
  }
  const address = chapterAddress((file.split('/').at(-1) ?? '').replace(/\.md$/, ''));
  if (!address) return children;
  return (
    <Link to={paths.documentationPage} params={{ ...address }} hash={hash} className={linkClass}>
      {children}
    </Link>
  );
}

/** Runs of text. */
export function Inlines({ inlines, pictures }: InlinesProps) {
  return inlines.map((inline, index) => {
    switch (inline.type) {
      case 'text':
        return inline.text;
      case 'code':
        return (
          <code
            key={index}
            className="rounded-[4px] bg-sunken px-1 py-0.5 font-mono text-[0.92em] wrap-break-word"
          >
            {inline.text}
          </code>
        );
      case 'strong':
        return (
          <strong key={index} className="font-semibold">
            <Inlines inlines={inline.children} pictures={pictures} />
          </strong>
        );
      case 'em':
        return (
          <em key={index}>
            <Inlines inlines={inline.children} pictures={pictures} />
          </em>
        );
      case 'link':
        return <GuideLink key={index} href={inline.href} inlines={inline.children} pictures={pictures} />;
      case 'image': {
        const picture = pictures[inline.src];
        return (
          picture && (
            <img
              key={index}
              src={picture.url}
              width={picture.width}
              height={picture.height}
              alt={inline.alt}
              loading="lazy"
              className="my-2 h-auto max-w-full rounded-card border border-line"
            />
          )
        );
      }
      case 'break':
        return <br key={index} />;
    }
  });
}
