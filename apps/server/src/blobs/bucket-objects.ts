import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type { BucketConfig } from '../config/config.ts';
import { clientOf, isMissing, type Patience, putWhole, refuse } from './blob-bucket.ts';
import { MissingBlobError } from './blob-store.ts';
import { ofService } from './put-file.ts';

/** Objects of a bucket by their keys, beside the blobs. All calls throw AppError storage_unavailable while the service is away. */
export interface BucketObjects {
  /** Puts a file, which is no link; the object appears whole or not at all, and is durable when the promise resolves. */
  putFile(key: string, file: { readonly path: string; readonly size: number }): Promise<void>;
  putBytes(key: string, bytes: Buffer): Promise<void>;
  /** @throws MissingBlobError where there is none */
  read(key: string): AsyncIterable<Uint8Array>;
  /** Keys that begin so, in the order of their bytes. */
  list(prefix: string): AsyncIterable<string>;
  /** It is no error when there is no such object. */
  remove(key: string): Promise<void>;
  close(): void;
}

/** The objects of a bucket. Nothing is asked of the service before the first call. */
export function openBucketObjects(
  config: BucketConfig,
  patience: Patience = { requestMs: 60_000, silentMs: 10_000 },
): BucketObjects {
  const client = clientOf(config, patience);
  const { bucket: Bucket } = config;
  return {
    putFile: (Key, { path, size }) => putWhole(client, { Bucket, Key, path, size }).catch(refuse),
    async putBytes(Key, Body) {
      try {
        ofService(await client.send(new PutObjectCommand({ Bucket, Key, Body })));
        const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key }));
        if (ContentLength !== Body.length) throw new Error(`The object ${Key} is not what was put there.`);
      } catch (error) {
        refuse(error);
      }
    },
    async *read(Key) {
      try {
        const { Body } = ofService(await client.send(new GetObjectCommand({ Bucket, Key })));
        yield* Body?.transformToWebStream() ?? [];
      } catch (error) {
        if (isMissing(error)) throw new MissingBlobError(`There is no object ${Key}.`);
        refuse(error);
      }
    },
    async *list(Prefix) {
      let ContinuationToken: string | undefined;
      do {
        const page = await client
          .send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
          .catch(refuse);
        // The page of a proxy would be read as a bucket that is empty.
        if (page.Name !== Bucket) refuse(new Error('What answers is no list of the bucket.'));
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key;
        ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      } while (ContinuationToken !== undefined);
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key })).catch((error: unknown) => {
        if (!isMissing(error)) refuse(error);
      });
    },
    close: () => client.destroy(),
  };
}
