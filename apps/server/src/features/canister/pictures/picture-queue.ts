import type { Queue } from '../../../jobs/job-queue.ts';

/** Pictures of the websites that a run has left, or the one picture that the owner of a canister has ordered. */
export type PictureJob = { readonly instanceId: string } | { readonly orderId: string };

/** All pictures are taken one after the other. One whose worker dies is tried once more; a site without a picture is none the worse. */
export const pictureQueue: Queue<PictureJob> = { name: 'site-picture', retries: 1 };
