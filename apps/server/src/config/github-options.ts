import { z } from 'zod';
import { addresses } from './address-settings.ts';
import { option, secretOption } from './option.ts';

/** A GitHub App of the operator. */
export const githubOptions = {
  GITHUB_APP_ID: option(
    z.coerce.number({ error: 'must be the number on the page of the GitHub App' }).int().min(1).optional(),
    'none',
    'A GitHub App, by which repositories of GitHub are deployed; see docs/github-app.md',
  ),
  GITHUB_APP_SLUG: option(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'must be the name in the address of the GitHub App')
      .optional(),
    '',
    'Name in the address of that app',
  ),
  GITHUB_CLIENT_ID: option(z.string().min(1).optional(), '', 'Client id of that app'),
  GITHUB_CLIENT_SECRET: secretOption(z.string().min(1).optional(), '', 'Client secret of that app'),
  GITHUB_PRIVATE_KEY_FILE: option(
    z.string().min(1).optional(),
    '',
    'PEM file with a private key of that app',
  ),
  GITHUB_WEBHOOK_SECRET: secretOption(
    z.string().min(16, 'must have 16 characters or more').optional(),
    '',
    'Secret by which GitHub signs the events of that app',
  ),
  GITHUB_URL: option(
    addresses.secureOrigin.optional(),
    'https://github.com',
    'Address of a GitHub Enterprise in place of github.com',
  ),
  GITHUB_API_URL: option(addresses.secureBase.optional(), 'GITHUB_URL/api/v3', 'Address of its API'),
} as const;
