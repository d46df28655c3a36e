import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { isWithinJsonBudget } from '../../fairness/json-budget.ts';

/** How one kind of git host tells of a push. */
export interface HookHost {
  /** The header that proves that the sender has the secret. */
  readonly proof: string;
  /** What is in it before the HMAC-SHA256 of the body as hexadecimal digits; null where it is the secret itself. */
  readonly before: string | null;
  /** The header that names the event. */
  readonly event: string;
  /** What it says for a push. */
  readonly push: string;
  /**
   * Headers that name the delivery. Empty where the body tells one delivery from every other: it has the time of the push
   * in it, and unlike a header it is signed.
   */
  readonly delivery: readonly string[];
  /** The form of the body of a push, which gives the refs that have a new commit. */
  readonly refs: z.ZodType<readonly PushedRef[]>;
}

/** A ref to which a push has brought a commit. */
export interface PushedRef {
  /** Such as `refs/heads/main`. */
  readonly ref: string;
  /** The message of that commit; null where the git host does not tell it. */
  readonly message: string | null;
}

/** Git says by it that there is no commit: the branch was deleted. */
const NO_COMMIT = /^0+$/;
const NAME = z.string().max(1000);

/** A commit as a push tells of it; what is none counts as not told. */
const toldCommit = z.object({ id: NAME, message: z.string() }).nullish().catch(null);

/** GitHub, Gitea, Forgejo and GitLab: one ref a push. GitLab names the newest commit by its id only. */
const oneRef = z
  .object({
    ref: NAME,
    after: NAME.nullish(),
    head_commit: toldCommit,
    commits: z.array(toldCommit).catch([]),
  })
  .transform(({ ref, after, head_commit: head, commits }): PushedRef[] => {
    if (NO_COMMIT.test(after ?? 'none')) return [];
    const newest = head ?? commits.find((commit) => commit?.id === after);
    return [{ ref, message: newest?.message ?? null }];
  });

/** Bitbucket: what has changed, each with what is there now. */
const changes = z
  .object({
    push: z.object({
      changes: z
        .array(
          z.object({
            new: z
              .object({
                type: NAME,
                name: NAME,
                target: z.object({ message: z.string() }).nullish().catch(null),
              })
              .nullish(),
          }),
        )
        .max(1000),
    }),
  })
  .transform(({ push }) =>
    push.changes.flatMap(({ new: now }): PushedRef[] =>
      now?.type === 'branch' ? [{ ref: `refs/heads/${now.name}`, message: now.target?.message ?? null }] : [],
    ),
  );

/** In order: Gitea and Forgejo send the headers of GitHub as well. */
export const hookHosts: readonly HookHost[] = [
  ...['forgejo', 'gitea'].map((name) => ({
    proof: `x-${name}-signature`,
    before: '',
    event: `x-${name}-event`,
    push: 'push',
    delivery: [],
    refs: oneRef,
  })),
  {
    proof: 'x-hub-signature-256',
    before: 'sha256=',
    event: 'x-github-event',
    push: 'push',
    delivery: [],
    refs: oneRef,
  },
  {
    proof: 'x-hub-signature',
    before: 'sha256=',
    event: 'x-event-key',
    push: 'repo:push',
    delivery: ['x-request-uuid'],
    refs: changes,
  },
  {
    proof: 'x-gitlab-token',
    before: null,
    event: 'x-gitlab-event',
    push: 'Push Hook',
    // The first stays the same when GitLab sends a delivery again.
    delivery: ['idempotency-key', 'x-gitlab-event-uuid'],
    refs: oneRef,
  },
];

/** HMAC-SHA256 as hexadecimal digits. */
const SIGNATURE = /^[0-9a-f]{64}$/i;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Tells from the bytes of a body, as they come, whether their sender has a secret. */
export interface RunningProof {
  /** Whether no body at all makes it good. */
  readonly isHopeless: boolean;
  update(piece: Uint8Array): void;
  /** After the last piece. */
  isGood(): boolean;
}

/**
 * The proof of a sender who names itself by a header; how long it takes says nothing of the secret.
 * @param given what the header says
 */
export function proofOf({ before }: HookHost, given: string, secret: string): RunningProof {
  const hmac = createHmac('sha256', secret);
  const update = (piece: Uint8Array): void => void hmac.update(piece);
  if (before === null) {
    // Digests are of one length, whatever was sent.
    const isGood = timingSafeEqual(digestOf(given), digestOf(secret));
    return { isHopeless: !isGood, update, isGood: () => isGood };
  }
  const text = given.startsWith(before) ? given.slice(before.length) : '';
  const isHopeless = !SIGNATURE.test(text);
  return {
    isHopeless,
    update,
    isGood: () => !isHopeless && timingSafeEqual(Buffer.from(text, 'hex'), hmac.digest()),
  };
}

/** No event of a git host is nested deeper; a push of a thousand commits has some 30,000 values. */
const BUDGET = { depth: 32, values: 100_000 };
const FORM = /^application\/x-www-form-urlencoded\b/i;

/**
 * The refs to which a push has brought a commit. GitHub and Gitea send their JSON in a form unless told otherwise.
 * @throws AppError invalid_input for what is no push
 */
export function pushedRefs(
  { refs }: HookHost,
  { body, type }: { body: Buffer; type: string | undefined },
): readonly PushedRef[] {
  const text = body.toString('utf8');
  const json = FORM.test(type ?? '') ? (new URLSearchParams(text).get('payload') ?? '') : text;
  const parsed = refs.safeParse(isWithinJsonBudget(json, BUDGET) ? jsonOf(json) : undefined);
  if (!parsed.success) throw new AppError('invalid_input', 'The body is not a push event.');
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
