/** A program that the server asks for. */
export interface StartRequest {
  readonly kind: 'start';
  /** Names the program, and the connection that is its output. */
  readonly id: string;
  /** Names the connection that is its input; without it, the input is empty. */
  readonly inputId?: string | undefined;
  /** Names the connection that is its error output; without it, that output is thrown away. */
  readonly errorsId?: string | undefined;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** Most bytes of memory that it, and each program it starts, may ask for. */
  readonly memoryBytes?: number | undefined;
}

/** What the server asks of the starter. */
export type StarterRequest = StartRequest | { readonly kind: 'kill'; readonly id: string };

/** How a program ended: one of the two is null. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What the starter tells the server. */
export type StarterReport =
  | { readonly kind: 'started'; readonly id: string; readonly pid: number }
  | ({ readonly kind: 'ended'; readonly id: string } & ProgramEnd)
  | { readonly kind: 'failed'; readonly id: string; readonly message: string };

/** Length of the line with which a connection names itself: a UUID and a line feed. */
export const NAME_LENGTH = 37;
