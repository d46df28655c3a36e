import { z } from 'zod';
import { addresses } from './address-settings.ts';
import { option, secretOption } from './option.ts';

/** Who signs people in, and for how long. */
export const signInOptions = {
  OIDC_ISSUER: option(
    addresses.issuer.optional(),
    'embedded',
    'OpenID Connect issuer, such as https://accounts.google.com',
  ),
  OIDC_CLIENT_ID: option(z.string().min(1).optional(), '', 'Client id at that issuer'),
  OIDC_CLIENT_SECRET: secretOption(z.string().min(1).optional(), '', 'Client secret at that issuer'),
  SESSION_IDLE_H: option(
    z.coerce.number({ error: 'must be a number of hours' }).int().min(1).max(720).default(168),
    '168',
    'Hours after which a session that nobody uses ends (at most 720: after 30 days each ends)',
  ),
  SIGN_IN_INTERNET_IDENTITY: option(
    z
      .union([z.enum(['on', 'off']), addresses.page], { error: 'must be on, off or an address' })
      .default('off'),
    'off',
    'Whether /login offers Internet Identity: off, on (that of the network), or the address of its page',
  ),
};
