import { z } from 'zod';
import { addresses } from './address-settings.ts';
import { option } from './option.ts';

/** What one process of the product can be (docs/operations/roles.md). */
export const ROLES = ['all', 'api', 'worker', 'git', 'network'] as const;
export type Role = (typeof ROLES)[number];

/** Settings of products that run as more than one process. */
export const roleOptions = {
  ROLE: option(
    z.enum(ROLES, { error: `must be one of ${ROLES.join(', ')}` }).default('all'),
    'all',
    'What this process does: all, api, worker, git or network (docs/operations/roles.md); also --role',
  ),
  INTERNAL_URL: option(
    addresses.origin.optional(),
    'http://HOST:PORT',
    'Address at which the other roles reach this git role',
  ),
  REPOSITORIES_DIR: option(
    z.string().min(1).optional(),
    'git in DATA_DIR',
    'Folder of the repositories of a git role; another git role takes it over where both can reach it',
  ),
  REPOSITORIES_BACKUP: option(
    z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
    'off',
    'on: whoever has repositories keeps a copy of each in the bucket of BLOBS_S3_URL',
  ),
  DRAIN_S: option(
    z.coerce.number({ error: 'must be a number of seconds' }).int().min(0).max(3_600).default(20),
    '20',
    'Longest time in which requests under way may end when a role other than all is told to stop, in seconds',
  ),
} as const;
