import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/**
 * Why a picture could not be taken: the website did not open or answered with an error, its code was changed meanwhile, or the server
 * has no browser for it.
 */
export const pictureFailures = ['no_page', 'changed', 'no_browser'] as const;
export type PictureFailure = (typeof pictureFailures)[number];

/** A picture counts as under way for so long at most, in milliseconds; then it may be asked for again. */
export const PICTURE_PATIENCE_MS = 10 * 60_000;

/** Pictures that a user may ask for in that time. */
export const MAX_PICTURES = 10;

/** What there is of pictures of what a canister serves. */
export const canisterPicture = z.object({
  /** Address of the newest one that shows the code which the canister has; null when there is none. */
  picture: z.string().nullable(),
  taken_at: z.string().nullable(),
  /** Whether one has been asked for and is not there yet. */
  ordered: z.boolean(),
  /** Why the last one that was asked for could not be taken; null when it could, or is under way. */
  failure: z.enum(pictureFailures).nullable(),
});
export type CanisterPicture = z.infer<typeof canisterPicture>;

/** A canister of the user whose picture shows a module. */
export const pictureChoice = z.object({
  canister_id: z.string(),
  canister_name: z.string(),
  /** Address of its picture. */
  picture: z.string(),
});
export type PictureChoice = z.infer<typeof pictureChoice>;

export const canisterPictureEndpoints = {
  readPicture: endpoint({
    method: 'GET',
    path: '/canister/picture/{id}',
    summary: 'The picture of what a canister serves',
    signedIn: true,
    params: z.object({ id: z.string().min(1) }),
    response: canisterPicture,
  }),
  orderPicture: endpoint({
    method: 'POST',
    path: '/canister/picture',
    summary: 'Has a picture taken of what a canister serves, unless one is under way',
    signedIn: true,
    again: 'same',
    body: z.object({ canister_id: z.string().min(1) }),
    response: canisterPicture,
  }),
  pictureChoices: endpoint({
    method: 'GET',
    path: '/marketplace/pictures/{module}',
    summary: 'Canisters of the user that have a picture of a module which they run',
    signedIn: true,
    params: z.object({ module: z.string().min(1).max(128) }),
    response: z.array(pictureChoice),
  }),
};
