/** What the server asks of the starter. */
export type StarterRequest =
  | {
      readonly kind: 'start';
      readonly id: string;
      readonly file: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'kill'; readonly id: string };

/** What the starter tells the server. `code` is null when a signal ended the program. */
export type StarterReport =
  | { readonly kind: 'started'; readonly id: string }
  | { readonly kind: 'ended'; readonly id: string; readonly code: number | null }
  | { readonly kind: 'failed'; readonly id: string; readonly message: string };

/** Length of the line with which a connection names its program: a UUID and a line feed. */
export const NAME_LENGTH = 37;
