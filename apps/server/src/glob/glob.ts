import { type GlobPart, readGlob } from './glob-pattern.ts';

export { GlobError } from './glob-pattern.ts';

/** Whether a character passes, and the steps that may follow. */
interface Step {
  /** Undefined where no character is taken. */
  readonly takes?: (code: number) => boolean;
  readonly next: number[];
}

export interface GlobOptions {
  /** Whether `*`, `?` and classes also stand for a slash, as in rules of assets. */
  readonly acrossFolders: boolean;
}

const SLASH = 47;

/**
 * A pattern as a small machine whose possible states are all followed at once: a path of n characters costs at most
 * n + 1 times the number of steps, which is at most five for each character of the pattern. No pattern makes it go back.
 */
export class Glob {
  readonly #steps: Step[] = [];
  readonly #accept: number;
  /** When each step was last reached; moments are counted over all paths, so that nothing has to be cleared. */
  readonly #seen: number[];
  readonly #pending: number[] = [];
  #reached: number[] = [];
  #spare: number[] = [];
  #moment = 0;

  /** @throws GlobError when the pattern cannot be read */
  constructor(pattern: string, { acrossFolders }: GlobOptions) {
    const open: Required<Step>['takes'] = acrossFolders ? () => true : (code) => code !== SLASH;
    this.#accept = this.#compile(readGlob(pattern), this.#step(), open);
    this.#seen = this.#steps.map(() => -1);
  }

  /** How many steps the pattern has; the bound of the work for each character of a path. */
  get size(): number {
    return this.#steps.length;
  }

  /** Whether the whole path matches; it is relative to the folder of the pattern. */
  matches(path: string): boolean {
    this.#reached.length = 0;
    this.#reach(0);
    for (let at = -1; at < path.length; at += 1) {
      const code = at < 0 ? SLASH : (path.codePointAt(at) ?? 0);
      if (code > 0xffff) at += 1;
      const before = this.#reached;
      this.#reached = this.#spare;
      this.#spare = before;
      this.#reached.length = 0;
      this.#moment += 1;
      for (const index of before) {
        const step = this.#steps[index];
        if (step?.takes?.(code) === true) for (const next of step.next) this.#reach(next);
      }
    }
    const accepted = this.#seen[this.#accept] === this.#moment;
    this.#moment += 1;
    return accepted;
  }

  /** Notes the steps that can be stood on without taking another character, each once. */
  #reach(from: number): void {
    const pending = this.#pending;
    pending.push(from);
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (this.#seen[index] === this.#moment) continue;
      this.#seen[index] = this.#moment;
      const step = this.#steps[index];
      if (step === undefined) continue;
      if (step.takes === undefined) pending.push(...step.next);
      else this.#reached.push(index);
    }
  }

  #step(takes?: Step['takes']): number {
    this.#steps.push({ ...(takes === undefined ? {} : { takes }), next: [] });
    return this.#steps.length - 1;
  }

  #join(from: number, to: number): void {
    this.#steps[from]?.next.push(to);
  }

  /** Adds a step that takes a character behind another one; answers the place behind it. */
  #take(from: number, takes: Step['takes']): number {
    const taking = this.#step(takes);
    const behind = this.#step();
    this.#join(from, taking);
    this.#join(taking, behind);
    return behind;
  }

  /** Any number of characters. */
  #run(from: number, takes: Step['takes']): number {
    const place = this.#step();
    const taking = this.#step(takes);
    this.#join(from, place);
    this.#join(place, taking);
    this.#join(taking, place);
    return place;
  }

  /** Adds the parts behind `from`; answers the place behind the last. */
  #compile(parts: readonly GlobPart[], from: number, open: NonNullable<Step['takes']>): number {
    const slash = (code: number): boolean => code === SLASH;
    const any = (): boolean => true;
    let place = from;
    for (const part of parts) {
      if (part.kind === 'literal') place = this.#take(place, (code) => code === part.code);
      else if (part.kind === 'any') place = this.#take(place, open);
      else if (part.kind === 'run') place = this.#run(place, open);
      else if (part.kind === 'class') place = this.#take(place, (code) => open(code) && isMember(part, code));
      else if (part.kind === 'foldersLast') place = this.#run(this.#take(place, slash), any);
      else if (part.kind === 'branches') place = this.#branches(part.branches, place, open);
      else {
        // Both end in a slash behind anything; one between folders begins with a slash as well, which may be the same.
        const start = part.kind === 'foldersBetween' ? this.#take(place, slash) : place;
        const end = this.#take(this.#run(start, any), slash);
        this.#join(start, end);
        place = end;
      }
    }
    return place;
  }

  #branches(
    branches: readonly (readonly GlobPart[])[],
    from: number,
    open: NonNullable<Step['takes']>,
  ): number {
    const end = this.#step();
    for (const branch of branches) {
      const start = this.#step();
      this.#join(from, start);
      this.#join(this.#compile(branch, start, open), end);
    }
    return end;
  }
}

function isMember(part: Extract<GlobPart, { kind: 'class' }>, code: number): boolean {
  return part.ranges.some(([first, last]) => code >= first && code <= last) !== part.negated;
}
