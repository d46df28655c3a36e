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
