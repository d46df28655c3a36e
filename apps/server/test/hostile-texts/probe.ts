/** How a probe ends: what it gives is used, or refused with a sentence for its author. */
export type Outcome = 'used' | 'refused';

/** One hostile text, given to the part of the product that reads it in a deploy. */
export interface Probe {
  readonly name: string;
  readonly outcome: Outcome;
  /** A part of the sentence, where it matters. */
  readonly says?: string;
  /** @throws BuildError, AppError or CandidError when it is refused */
  run(): Promise<unknown>;
}

/** What the probing process prints of each probe, as a line of JSON. */
export interface Finding {
  readonly name: string;
  readonly outcome: Outcome | 'broken';
  readonly message: string;
  /** Time of the processor that the main thread took, which a busy machine does not change; milliseconds. */
  readonly mainThreadMs: number;
  readonly wallMs: number;
}
