import { z } from 'zod';

/** What is read of GitHub's answers; everything else in them is left out. */
const account = z.object({ id: z.number(), login: z.string(), type: z.string().optional() });

export const person = z.object({ id: z.number(), login: z.string() });

/** An enterprise is no account that has repositories. */
export const installation = z.object({
  id: z.number(),
  account: account.nullable().catch(null),
  suspended_at: z.string().nullish(),
});

export const repository = z.object({
  id: z.number(),
  name: z.string(),
  private: z.boolean(),
  owner: z.object({ login: z.string() }),
  default_branch: z.string().nullish(),
  pushed_at: z.string().nullish(),
});
export type GitHubRepository = z.infer<typeof repository>;

export const accessToken = z.object({ token: z.string().min(1), expires_at: z.string() });

/** Refusals of a code come with status 200. */
export const userToken = z.object({ access_token: z.string().min(1) });

export const branch = z.object({ name: z.string() });

export const permission = z.object({
  permission: z.string(),
  user: z.object({ id: z.number() }).nullish(),
});
