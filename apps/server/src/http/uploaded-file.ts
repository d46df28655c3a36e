import { type Endpoint, MAX_WASM_BYTES } from '@cannery/contract';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError, textOf } from '../errors.ts';
import { uploadedBytes } from '../metrics/instruments.ts';
import type { UploadedFile } from './route.ts';

const MIB = 1024 * 1024;
/** What a form may have around its file, in bytes. */
const FORM_BYTES = 64 * 1024;
/** What is read of any upload; what is too large for its own call, but not for this, gets an orderly answer. */
const MOST_BYTES = MAX_WASM_BYTES + FORM_BYTES;
/** How long the refusal of an upload may take to be sent, in milliseconds. */
const ANSWER_MS = 1000;

const UPLOAD_TYPE = /^multipart\/form-data/i;

/**
 * The one file of a call; undefined for a call that takes none.
 * @throws AppError invalid_input for a form without it, payload_too_large for more than any call takes
 */
export async function uploadedFile(
  request: FastifyRequest,
  { upload: field, maxBytes = MAX_WASM_BYTES }: Endpoint,
): Promise<UploadedFile | undefined> {
  if (field === undefined) return undefined;
  if (!UPLOAD_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new AppError('invalid_input', `Send the file as multipart form field '${field}'.`);
  }
  const file = request.file({ limits: { fileSize: maxBytes } });
  const part = await Promise.race([file, tooMuch(request)]).catch(refuseUpload);
  if (part === undefined || part.fieldname !== field) {
    part?.file.resume();
    throw new AppError('invalid_input', `Send the file as multipart form field '${field}'.`);
  }
  return {
    filename: part.filename,
    mimeType: part.mimetype,
    content: wholeFile(part, maxBytes),
  };
}

/**
 * Reads what is left of a call that was answered before its end, for nobody: else the connection would take no further
 * request. What is too much is cut off as before.
 */
export function readRest({ raw }: FastifyRequest): void {
  if (raw.complete) return;
  raw.unpipe();
  raw.resume();
}

/**
 * Fails when more is announced or comes than the largest file and its form need, wherever in the form it is: what stands
 * before and behind the file is read and thrown away, without end if nobody counts.
 */
function tooMuch({ raw, headers }: FastifyRequest): Promise<never> {
  let size = 0;
  return new Promise((_resolve, reject) => {
    const refuse = (): void => {
      raw.unpipe();
      raw.pause();
      reject(new AppError('payload_too_large', 'The upload is larger than 100 MiB.'));
      // Whoever waits for the rest of a file learns it here; the answer is on its way.
      setTimeout(() => raw.destroy(), ANSWER_MS).unref();
    };
    if (Number(headers['content-length']) > MOST_BYTES) return refuse();
    raw.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) refuse();
    });
  });
}

/** A file that is cut off at the limit ends like a whole one; only afterwards is it known to be cut. */
async function* wholeFile({ file }: MultipartFile, maxBytes: number): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of file as AsyncIterable<Uint8Array>) {
      uploadedBytes.add({}, chunk.length);
      yield chunk;
    }
  } catch (error) {
    refuseUpload(error);
  }
  if (file.truncated) {
    throw new AppError('payload_too_large', `The file is larger than ${maxBytes / MIB} MiB.`);
  }
}

/** The form parser throws plain errors for a form that is cut off or malformed. */
function refuseUpload(error: unknown): never {
  if (error instanceof AppError || (error instanceof Error && 'statusCode' in error)) throw error;
  throw new AppError('invalid_input', 'The upload could not be read: its form is incomplete or damaged.', {
    detail: textOf(error),
    cause: error,
  });
}
