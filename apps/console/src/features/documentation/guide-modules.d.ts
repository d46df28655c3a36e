declare module 'virtual:guide/contents' {
  import type { Chapter } from '@cannery/guide';

  export interface ChapterModule {
    readonly chapter: Chapter;
    /** Where each picture is, with its size in pixels. */
    readonly pictures: Readonly<Record<string, { url: string; width: number; height: number }>>;
  }

  export const groups: readonly {
    readonly title: string;
    readonly chapters: readonly { readonly name: string; readonly title: string }[];
  }[];
  export const chapters: Readonly<Record<string, () => Promise<ChapterModule>>>;
}

declare module 'virtual:guide/search' {
  import type { Section } from '@cannery/guide';

  export const sections: readonly Section[];
}

declare module 'virtual:guide/news' {
  /** Changes with each entry of the chapter of what is new. */
  export const newest: string;
}
