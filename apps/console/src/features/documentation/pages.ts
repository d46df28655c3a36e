import { type ChapterModule, chapters, groups } from 'virtual:guide/contents';

/** Where a page of the documentation is: `/documentation/{section}/{page}`. */
export interface PageAddress {
  readonly section: string;
  readonly page: string;
}

interface PageEntry extends PageAddress {
  readonly title: string;
}

/** The pages that show parts of the console. */
export const componentPages = {
  typography: 'Typography',
  header: 'Header',
  sidebar: 'Sidebar',
  buttons: 'Buttons',
} as const;

export type ComponentPage = keyof typeof componentPages;

/** The section of all chapters, whatever group of the contents they are in. */
const CHAPTERS = 'getting-started';
const COMPONENTS = 'components';

/** All pages in the order of reading, by group. */
export const pageGroups: readonly { readonly title: string; readonly pages: readonly PageEntry[] }[] = [
  ...groups.map(({ title, chapters: listed }) => ({
    title,
    pages: listed.map(({ name, title: text }) => ({ section: CHAPTERS, page: name, title: text })),
  })),
  {
    title: 'Components',
    pages: Object.entries(componentPages).map(([page, title]) => ({ section: COMPONENTS, page, title })),
  },
];

/** The address of a chapter by its file name without `.md`, or undefined where the guide has none of that name. */
export function chapterAddress(name: string): PageAddress | undefined {
  return Object.hasOwn(chapters, name) ? { section: CHAPTERS, page: name } : undefined;
}

export type LoadedPage =
  | ({ readonly kind: 'chapter' } & ChapterModule)
  | { readonly kind: 'component'; readonly page: ComponentPage };

/** What stands at an address; undefined where nothing does. */
export async function loadPage({ section, page }: PageAddress): Promise<LoadedPage | undefined> {
  if (section === COMPONENTS && Object.hasOwn(componentPages, page)) {
    return { kind: 'component', page: page as ComponentPage };
  }
  const load = section === CHAPTERS && Object.hasOwn(chapters, page) ? chapters[page] : undefined;
  return load && { kind: 'chapter', ...(await load()) };
}

/** The pages before and after one, in the order of reading. */
export function neighbours({ section, page }: PageAddress): (PageEntry | undefined)[] {
  const all = pageGroups.flatMap(({ pages }) => pages);
  const index = all.findIndex((entry) => entry.section === section && entry.page === page);
  return [all[index - 1], all[index + 1]];
}
