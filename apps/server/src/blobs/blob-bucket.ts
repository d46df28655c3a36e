import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
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
import { type BlobStore, checkedHash, DamagedBlobError, MissingBlobError, verified } from './blob-store.ts';
import { openIncomingFiles, readIncoming } from './incoming-files.ts';
import { ofService, putFile } from './put-file.ts';

const CONNECT_MS = 5000;
/** For one request: a part, or a whole blob that is fetched. */
const REQUEST_MS = 60_000;
/** How long a connection may bring and take nothing while a request is under way, in milliseconds. */
const SILENT_MS = 10_000;
/** Times content is fetched that is not what its name says: what lies between here and the service may have changed it. */
const FETCHES = 2;
/** Sendings of one request; the pauses between them grow. */
const ATTEMPTS = 4;
const RETRY_AFTER_SECONDS = 5;

/**
 * A blob store in a bucket of an S3-compatible service, with keys `ab/<sha256>`. Content is received in a folder of this
 * server and goes to the bucket when it is kept: what is refused never gets there.
 * @throws StartError when the bucket cannot be used
 */
export async function openBlobBucket(
  folder: string,
  config: BucketConfig,
  { silentMs = SILENT_MS }: { silentMs?: number } = {},
): Promise<BlobStore> {
  const client = clientOf(config, silentMs);
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
    async receive(content) {
      const { path, hash, size } = await incoming.receive(content);
      return {
        hash,
        size,
        read: (part) => readIncoming(path, part),
        keep: () => putFile(client, { ...objectOf(hash), path, size }).catch(refuse),
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

function clientOf({ url, region, accessKey, secretKey }: BucketConfig, silentMs: number): S3Client {
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
      requestTimeout: REQUEST_MS,
      throwOnRequestTimeout: true,
      socketTimeout: silentMs,
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

async function fetchWhole(client: S3Client, object: { Bucket: string; Key: string }): Promise<Buffer> {
  const { Body } = ofService(await client.send(new GetObjectCommand(object)));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

function refuseFetch(error: unknown, key: string): never {
  if (isMissing(error)) throw new MissingBlobError(`There is no object ${key}.`);
  return refuse(error);
}

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name);
}

/** Every other failure is the service's or its settings'; the operator's log has the cause. */
function refuse(error: unknown): never {
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
