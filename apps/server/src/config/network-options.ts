import { z } from 'zod';
import { option } from './option.ts';

/** What the operator allows the embedded network besides its addresses, cycles and fees. */
export const networkOptions = {
  NETWORK_OUTCALLS: option(
    z.enum(['off', 'https'], { error: 'must be off or https' }).default('off'),
    'off',
    'HTTP requests that canisters of the embedded network may make: off, or https to public addresses',
  ),
  NETWORK_DASHBOARD: option(
    z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
    'off',
    'The page /_/dashboard and /metrics of the embedded network, for this computer: on or off',
  ),
  SITE_NAMES: option(
    z.enum(['on', 'off'], { error: 'must be on or off' }).optional(),
    'on with the embedded network',
    'Names for sites besides the ids of their canisters: on or off',
  ),
  NETWORK_SERVICES: option(z.string().default('default'), 'default', 'default, none, or system canisters'),
};
