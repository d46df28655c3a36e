import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { entityOf, type ReadObject } from './texts/reading.ts';

export const user = z.object({
  id: z.string(),
  name: z.string(),
  username: z.string(),
  avatar: z.string().nullable(),
  location: z.string().nullable(),
});
export type User = ReadObject<z.infer<typeof user>>;

export const userEndpoints = {
  profile: endpoint({
    method: 'GET',
    path: '/user/profile',
    summary: 'The signed-in user; validates the bearer token',
    signedIn: true,
    response: user,
    reading: entityOf(user),
  }),
};

/** A signed-in browser or program of the user. */
export const session = z.object({
  /** Names the session; it is not its bearer token. */
  id: z.string(),
  /** Whether it is the session that asks. */
  current: z.boolean(),
  /** Browser and system, such as 'Firefox on Linux'. */
  device: z.string(),
  created_at: z.string(),
  /** Exact to a minute. */
  last_used_at: z.string(),
});
export type Session = z.infer<typeof session>;

export const sessionEndpoints = {
  exchange: endpoint({
    method: 'POST',
    path: '/auth/exchange',
    summary:
      'Exchanges the single-use sign-in token (valid 60 s, in the browser that began the sign-in) for a bearer token; a valid bearer token is answered as it is, begins nothing and sets no cookie',
    signedIn: false,
    withCookies: true,
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
  list: endpoint({
    method: 'GET',
    path: '/session',
    summary: "The user's sessions, the last used first",
    signedIn: true,
    response: z.array(session),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/session/{id}',
    summary: 'Ends one session of the user',
    signedIn: true,
    params: z.object({ id: z.string().min(1) }),
    response: z.object({ message: z.string() }),
  }),
  endAll: endpoint({
    method: 'DELETE',
    path: '/session',
    summary: 'Ends all sessions of the user, the one that asks included',
    signedIn: true,
    response: z.object({ message: z.string() }),
  }),
};
