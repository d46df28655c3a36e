import { z } from 'zod';

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
  readonly refs: z.ZodType<readonly string[]>;
}

/** Git says by it that there is no commit: the branch was deleted. */
const NO_COMMIT = /^0+$/;
const NAME = z.string().max(1000);

/** GitHub, Gitea, Forgejo and GitLab: one ref a push. */
const oneRef = z
  .object({ ref: NAME, after: NAME.nullish() })
  .transform(({ ref, after }) => (NO_COMMIT.test(after ?? 'none') ? [] : [ref]));

/** Bitbucket: what has changed, each with what is there now. */
const changes = z
  .object({
    push: z.object({
      changes: z.array(z.object({ new: z.object({ type: NAME, name: NAME }).nullish() })).max(1000),
    }),
  })
  .transform(({ push }) =>
    push.changes.flatMap((change) =>
      change.new?.type === 'branch' ? [`refs/heads/${change.new.name}`] : [],
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
