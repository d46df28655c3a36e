import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const sessionEndpoints = {
  exchange: endpoint({
    method: 'POST',
    path: '/auth/exchange',
    summary:
      'Exchanges the single-use sign-in token (valid 60 s) for a bearer token; a valid bearer token is answered as it is',
    signedIn: false,
    body: z.object({ token: z.string().min(1) }),
    response: z.object({ token: z.string() }),
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/auth/logout',
    summary: 'Ends the session of the bearer token and expires the cookie',
    signedIn: true,
    response: z.object({ message: z.string() }),
  }),
};
