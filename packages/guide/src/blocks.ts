/** A run of text inside a block. */
export type Inline =
  | { readonly type: 'text' | 'code'; readonly text: string }
  | { readonly type: 'strong' | 'em'; readonly children: readonly Inline[] }
  | { readonly type: 'link'; readonly href: string; readonly children: readonly Inline[] }
  | { readonly type: 'image'; readonly src: string; readonly alt: string }
  | { readonly type: 'break' };

/** A part of a chapter. There is no block for HTML: the guide has none. */
export type Block =
  | {
      readonly type: 'heading';
      readonly level: number;
      /** The anchor, as git hosts make it. */
      readonly id: string;
      readonly children: readonly Inline[];
    }
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | { readonly type: 'quote'; readonly blocks: readonly Block[] }
  | { readonly type: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Block[])[] }
  | {
      readonly type: 'table';
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

/** One Markdown file of the guide. */
export interface Chapter {
  /** File name without `.md`; the last part of the chapter's address. */
  readonly name: string;
  readonly title: string;
  /** Everything below the title. */
  readonly blocks: readonly Block[];
}

/** Inlines as plain text. */
export function plainText(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if ('text' in inline) return inline.text;
      if (inline.type === 'image') return inline.alt;
      return inline.type === 'break' ? ' ' : plainText(inline.children);
    })
    .join('');
}
