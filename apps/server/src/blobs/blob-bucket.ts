import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { BucketConfig } from '../config/config.ts';
import { AppError, StartError, textOf } from '../errors.ts';
import {
  type BlobStore,
  checkedHash,
  DamagedBlobError,
  MissingBlobError,
  type PlaceMark,
  verified,
} from './blob-store.ts';
import { openIncomingFiles, readIncoming } from './incoming-files.ts';
import { type FileToPut, ofService, putFile } from './put-file.ts';

const CONNECT_MS = 5000;
/** Until the service answers a request, be it a part or a blob. */
const REQUEST_MS = 60_000;
/** How long a connection may bring and take nothing while a request is under way, in milliseconds. */
const SILENT_MS = 10_000;
/** Times content is fetched that is not what its name says: what lies between here and the service may have changed it. */
const FETCHES = 2;
/** Sendings of one request; the pauses between them grow. */
const ATTEMPTS = 4;
const RETRY_AFTER_SECONDS = 5;

/** How long the service is waited for, in milliseconds; each request is sent up to four times. */
export interface Patience {
  readonly requestMs: number;
  readonly silentMs: number;
}

/**
 * A blob store in a bucket of an S3-compatible service, with keys `ab/<sha256>`. Content is received in a folder of this
 * server and goes to the bucket when it is kept: what is refused never gets there.
 * @throws StartError when the bucket cannot be used
 */
export async function openBlobBucket(
  folder: string,
  config: BucketConfig,
  { requestMs = REQUEST_MS, silentMs = SILENT_MS }: Partial<Patience> = {},
): Promise<BlobStore & { readonly mark: PlaceMark }> {
  const client = clientOf(config, { requestMs, silentMs });
  const { bucket: Bucket } = config;
  await tryOut(client, Bucket).catch((error: unknown) => {
    throw new StartError(
      `The bucket ${Bucket} at BLOBS_S3_URL=${config.url} cannot be used: ${reasonOf(error)}. ` +
        'Check address, bucket and keys, and that the service runs.',
    );
  });
  const incoming = await openIncomingFiles(folder);
  const objectOf = (hash: string) => ({ Bucket, Key: `${checkedHash(hash).slice(0, 2)}/${hash}` });
  return {
    mark: markOf(client, Bucket),
    async receive(content) {
      const { path, hash, size } = await incoming.receive(content);
      return {
        hash,
        size,
        read: (part) => readIncoming(path, part),
        keep: () => putWhole(client, { ...objectOf(hash), path, size }).catch(refuse),
        discard: () => rm(path, { force: true }),
      };
    },
    async get(hash) {
      const object = objectOf(hash);
      for (let fetches = 0; fetches < FETCHES; fetches += 1) {
        const content = await fetchWhole(client, object).catch((error: unknown) =>
          refuseFetch(error, object.Key),
        );
        if (createHash('sha256').update(content).digest('hex') === hash) return content;
      }
      throw new DamagedBlobError(`The object ${object.Key}`);
    },
    async *read(hash) {
      const object = objectOf(hash);
      try {
        const { Body } = ofService(await client.send(new GetObjectCommand(object)));
        yield* verified(Body?.transformToWebStream() ?? [], { hash, place: `The object ${object.Key}` });
      } catch (error) {
        if (error instanceof DamagedBlobError) throw error;
        refuseFetch(error, object.Key);
      }
    },
    async has(hash) {
      try {
        await client.send(new HeadObjectCommand(objectOf(hash)));
        return true;
      } catch (error) {
        return isMissing(error) ? false : refuse(error);
      }
    },
    async remove(hash) {
      await client.send(new DeleteObjectCommand(objectOf(hash))).catch((error: unknown) => {
        if (!isMissing(error)) refuse(error);
      });
    },
  };
}

/** A client that gives up what takes too long. */
export function clientOf({ url, region, accessKey, secretKey }: BucketConfig, patience: Patience): S3Client {
  return new S3Client({
    endpoint: url,
    region,
    // Names of buckets in host names need DNS that services of one's own seldom have.
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    maxAttempts: ATTEMPTS,
    // Without the third a request that takes too long is only warned of; the last one is for an answer that stops coming.
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: patience.requestMs,
      throwOnRequestTimeout: true,
      socketTimeout: patience.silentMs,
    },
    // Not every service knows them; what is stored is checked by its name.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** Writes and removes an empty object: what the keys may do is known at the start, not at the first upload. */
async function tryOut(client: S3Client, Bucket: string): Promise<void> {
  const object = { Bucket, Key: `incoming/${randomUUID()}` };
  ofService(await client.send(new PutObjectCommand({ ...object, Body: '' })));
  await client.send(new DeleteObjectCommand(object));
}

/** Looks at an object that was put, and the pause between two of them in milliseconds. */
const LOOKS = 5;
const LOOK_PAUSE_MS = 300;

/**
 * Puts a file, and looks whether it is there: what stands before the service may answer anything. Another process may put the same
 * content meanwhile, and not every service shows an object only when it is whole: it is looked at again.
 */
export async function putWhole(client: S3Client, file: FileToPut): Promise<void> {
  await putFile(client, file);
  const { Bucket, Key, size } = file;
  for (let looks = 1; ; looks += 1) {
    const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key }));
    if (ContentLength === size) return;
    if (looks === LOOKS)
      throw new Error(`The object ${Key} has ${ContentLength ?? 'no'} bytes after ${size} were put there.`);
    await sleep(LOOK_PAUSE_MS);
  }
}

/** The mark of a bucket: an object beside the blobs. */
function markOf(client: S3Client, Bucket: string): PlaceMark {
  const object = { Bucket, Key: 'place' };
  return {
    read: async () => {
      try {
        return (await fetchWhole(client, object)).toString();
      } catch (error) {
        return isMissing(error) ? undefined : refuse(error);
      }
    },
    write: async (mark) => {
      await client.send(new PutObjectCommand({ ...object, Body: mark })).catch(refuse);
    },
  };
}

async function fetchWhole(client: S3Client, object: { Bucket: string; Key: string }): Promise<Buffer> {
  const { Body } = ofService(await client.send(new GetObjectCommand(object)));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

function refuseFetch(error: unknown, key: string): never {
  if (isMissing(error)) throw new MissingBlobError(`There is no object ${key}.`);
  return refuse(error);
}

/** Whether a service says that there is no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name);
}

/** Every other failure is the service's or its settings'; the operator's log has the cause. */
export function refuse(error: unknown): never {
  // A file of this server that cannot be read.
  if (error instanceof Error && 'syscall' in error && error.syscall === 'open') throw error;
  throw new AppError('storage_unavailable', 'The storage of uploads cannot be reached.', {
    cause: error,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof S3ServiceException)) return textOf(error);
  return `it answers with status ${error.$metadata.httpStatusCode ?? 'unknown'} (${error.name})`;
}
