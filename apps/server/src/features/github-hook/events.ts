import { z } from 'zod';

/** What is read of GitHub's events; everything else in them is left out. */
const installation = z.object({ id: z.number() });

export const push = z.object({
  ref: z.string(),
  deleted: z.boolean(),
  repository: z.object({ id: z.number() }),
  installation,
});

export const installationChange = z.object({ action: z.string(), installation });

export const rename = z.object({
  action: z.literal('renamed'),
  account: z.object({ login: z.string() }),
  installation,
});

export const revocation = z.object({ action: z.literal('revoked'), sender: z.object({ id: z.number() }) });
