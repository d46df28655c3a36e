import { errorCodes, type ErrorCode } from '@cannery/contract';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { RepositoryGoneError } from '../repository/git-host.ts';

/** An error that travels between roles: what its user may see, and which repository it proves to be gone. */
const refusalSchema = z.object({
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  detail: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
  goneId: z.string().optional(),
  goneName: z.object({ owner: z.string(), name: z.string() }).optional(),
});

/** The status of an answer that is such an error. */
export const REFUSED = 422;

/** What an error says to another role. @param asked the repository that was asked for */
export function refusalText(
  error: AppError,
  asked: { readonly owner: string; readonly name: string },
): string {
  const { code, message, detail, retryAfterSeconds } = error;
  const gone = error instanceof RepositoryGoneError ? { goneId: error.id, goneName: asked } : {};
  const refusal: z.input<typeof refusalSchema> = { code, message, detail, retryAfterSeconds, ...gone };
  return JSON.stringify(refusal);
}

/** The error again, where it was asked for. @throws SyntaxError or ZodError for another text */
export function errorOfRefusal(text: string): AppError {
  const { code, message, detail, retryAfterSeconds, goneId, goneName } = refusalSchema.parse(
    JSON.parse(text),
  );
  if (goneId !== undefined && goneName !== undefined)
    return new RepositoryGoneError({ ...goneName, id: goneId });
  return new AppError(code, message, {
    ...(detail !== undefined && { detail }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
