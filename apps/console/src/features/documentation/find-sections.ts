import type { Section } from '@cannery/guide';
import { whatIsNew } from '../../config/paths.ts';

export interface FoundSection extends Section {
  /** The text around the first word that was found. */
  readonly excerpt: string;
}

/** Found sections on show. */
const MOST = 8;
/** Signs of the text before and after what was found. */
const BEFORE = 40;
const AFTER = 100;

/** Verbs of two words that people write in many forms, each with the one form by which it is searched. */
const forms: readonly (readonly [RegExp, string])[] = [
  [/\broll(?:s|ed|ing)?[ -]?backs?\b/g, 'rollback'],
  [/\btop(?:s|ped|ping)?[ -]?ups?\b/g, 'topup'],
  [/\bsign(?:s|ed|ing)?[ -]?ins?\b/g, 'signin'],
  [/\bsign(?:s|ed|ing)?[ -]?outs?\b/g, 'signout'],
  [/\bback(?:s|ed|ing)?[ -]?ups?\b/g, 'backup'],
  [/\bre-?deploy(?:s|ed|ing|ments?)?\b/g, 'redeploy'],
];

/** A text as it is searched: in lower case, with one form of each verb of the table. */
function folded(text: string): string {
  return forms.reduce((sum, [form, one]) => sum.replace(form, one), text.toLowerCase());
}

/** Where a text has a word, in whatever form; 0 where it has none. */
function placeOf(text: string, word: string): number {
  const lower = text.toLowerCase();
  const form = forms.find(([, one]) => one === word);
  return Math.max(0, form === undefined ? lower.indexOf(word) : lower.search(form[0]));
}

function excerptOf(text: string, word: string): string {
  const at = placeOf(text, word);
  const start = at <= BEFORE ? 0 : text.indexOf(' ', at - BEFORE) + 1;
  const cut = text.slice(start, at + AFTER);
  return `${start > 0 ? '… ' : ''}${cut}${start + cut.length < text.length ? ' …' : ''}`;
}

/** How often a folded text has a word. */
function countOf(text: string, word: string): number {
  return text.split(word).length - 1;
}

/**
 * The sections that have all words of a text, as they are typed or in another form; those with most of the words in the title come
 * first, and of them those that speak of them most.
 */
export function findSections(sections: readonly Section[], typed: string): FoundSection[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) return [];
  const wordsIn = (text: string): number => words.filter((word) => text.includes(word)).length;
  return sections
    .map((section) => {
      const title = folded(section.title);
      const titles = `${folded(section.chapterTitle)} ${title}`;
      const all = `${titles} ${folded(section.text)}`;
      return {
        section,
        hits: wordsIn(all),
        inTitle: wordsIn(title),
        // News tell of everything, and teach nothing.
        isNews: section.chapter === whatIsNew.page ? 1 : 0,
        inTitles: wordsIn(titles),
        often: words.reduce((sum, word) => sum + countOf(all, word), 0),
      };
    })
    .filter(({ hits }) => hits === words.length)
    .toSorted(
      (one, other) =>
        other.inTitle - one.inTitle ||
        other.inTitles - one.inTitles ||
        one.isNews - other.isNews ||
        other.often - one.often,
    )
    .slice(0, MOST)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, first) }));
}
