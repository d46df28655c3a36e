import { documentEndpoints } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { userTenant } from '../../fairness/callers.ts';
import { FairTurns } from '../../fairness/fair-turns.ts';
import { type Route, route, type UploadedFile, uploadRoute } from '../../http/route.ts';
import { readIcon } from './read-icon.ts';
import { uploadIcon } from './upload-icon.ts';
import { uploadWasm } from './upload-wasm.ts';

/** Uploads under way: each holds memory for what it checks, and lasts as long as its sender takes. */
const UPLOADS = { most: 16, perTenant: 2, waitingPerTenant: 4, what: 'uploads' };

export function documentRoutes(ctx: AppContext): Route[] {
  const turns = new FairTurns(UPLOADS);
  const upload = async (user: Actor, file: UploadedFile, store: typeof uploadWasm) => {
    const identifier = await turns.take(userTenant(user.id), () => store(ctx, user, file.content));
    return { data: { identifier }, identifier };
  };
  return [
    uploadRoute(documentEndpoints.uploadWasm, ({ user, file }) => upload(user, file, uploadWasm)),
    uploadRoute(documentEndpoints.uploadIcon, ({ user, file }) => upload(user, file, uploadIcon)),
    route(documentEndpoints.get, async ({ user, params }) => ({
      data: await readIcon(ctx, user, params.identifier),
    })),
  ];
}
