import type { LiveSubject } from '@cannery/contract';

/** What the news of a user are told by. */
export const newsOfUser = (userId: string): string => `user:${userId}`;

/** Subjects that wait for a reader; when there are more, it is told to ask for everything again. */
const MOST_WAITING = 64;

/** What a notice tells of, by its first word: the subject that the words after it make. */
const SUBJECTS: Readonly<Record<string, (first: string, second: string) => LiveSubject>> = {
  deploys: (id) => ({ kind: 'deploys', id }),
  run: (deployId, id) => ({ kind: 'run', deploy_id: deployId, id }),
  canisters: (id) => ({ kind: 'canisters', id }),
  balance: () => ({ kind: 'balance' }),
  repositories: () => ({ kind: 'repositories' }),
  dapps: () => ({ kind: 'dapps' }),
};

/** A notice of {@link SUBJECTS}; a kind that a newer server tells of is one for asking again. */
function subjectOf(notice: string): LiveSubject {
  const [kind = '', first = '', second = ''] = notice.split(' ');
  return SUBJECTS[kind]?.(first, second) ?? { kind: 'all' };
}

/** The news that wait for one reader: each once, and never more than a few, however much happens and however slow it reads. */
export class PendingNews {
  readonly #waiting = new Set<string>();
  #isAll = false;

  /** @param notice what a notice tells; undefined for a gap in which something may have been missed */
  add(notice: string | undefined): void {
    if (this.#isAll) return;
    if (notice !== undefined) this.#waiting.add(notice);
    if (notice !== undefined && this.#waiting.size <= MOST_WAITING) return;
    this.#isAll = true;
    this.#waiting.clear();
  }

  /** What waits, which then does not any more. */
  take(): LiveSubject[] {
    const subjects = this.#isAll ? [{ kind: 'all' as const }] : [...this.#waiting].map(subjectOf);
    this.#isAll = false;
    this.#waiting.clear();
    return subjects;
  }
}
