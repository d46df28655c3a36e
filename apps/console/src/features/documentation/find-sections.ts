import type { Section } from '@cannery/guide';

export interface FoundSection extends Section {
  /** The text around the first word that was found. */
  readonly excerpt: string;
}

/** Found sections on show. */
const MOST = 8;
/** Signs of the text before and after what was found. */
const BEFORE = 40;
const AFTER = 100;

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const start = at <= BEFORE ? 0 : text.indexOf(' ', at - BEFORE) + 1;
  const cut = text.slice(start, at + AFTER);
  return `${start > 0 ? '… ' : ''}${cut}${start + cut.length < text.length ? ' …' : ''}`;
}

/** The sections that have all words of a text, as they are typed; those with most of the words in the title come first. */
export function findSections(sections: readonly Section[], typed: string): FoundSection[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) return [];
  const wordsIn = (text: string): number => words.filter((word) => text.toLowerCase().includes(word)).length;
  return sections
    .filter(({ chapterTitle, title, text }) => wordsIn(`${chapterTitle} ${title} ${text}`) === words.length)
    .map((section) => ({
      section,
      inTitle: wordsIn(section.title),
      inTitles: wordsIn(`${section.chapterTitle} ${section.title}`),
    }))
    .sort((one, other) => other.inTitle - one.inTitle || other.inTitles - one.inTitles)
    .slice(0, MOST)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, first) }));
}
