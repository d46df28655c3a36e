import { documentEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { type Route, uploadRoute } from '../../http/route.ts';
import { uploadWasm } from './upload-wasm.ts';

export function documentRoutes(ctx: AppContext): Route[] {
  return [
    uploadRoute(documentEndpoints.uploadWasm, async ({ user, file }) => {
      const identifier = await uploadWasm(ctx, user, file.content);
      return { data: { identifier }, identifier };
    }),
  ];
}
