/** A place in a Candid text; line and column start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Base of every error this package throws. */
export class CandidError extends Error {
  override name = 'CandidError';
}

/** An error with a place in the text. */
class PlacedError extends CandidError {
  readonly line: number;
  readonly column: number;

  constructor(message: string, at: Position) {
    super(`Line ${at.line}, column ${at.column}: ${message}`);
    this.line = at.line;
    this.column = at.column;
  }
}

/** The text is not Candid: unknown character, missing bracket, misplaced word. */
export class CandidSyntaxError extends PlacedError {
  override name = 'CandidSyntaxError';
}

/** The text is well formed, but its types make no sense: unknown name, cycle of aliases, double field. */
export class CandidTypeError extends PlacedError {
  override name = 'CandidTypeError';
}

/** A value does not fit the type it is meant for. `path` leads to it, such as `argument 1, field owner`. */
export class CandidValueError extends CandidError {
  override name = 'CandidValueError';
  readonly path: string;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, path: string, at?: Position) {
    super(`${at ? `Line ${at.line}, column ${at.column}: ` : ''}${path ? `${path}: ` : ''}${message}`);
    this.path = path;
    this.line = at?.line;
    this.column = at?.column;
  }
}
