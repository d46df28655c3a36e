import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { readExactly } from './incoming-files.ts';

/**
 * An answer that an S3 service has given: each about content names it by an ETag, and the page of a proxy or of a portal, which comes
 * with status 200 as well, has none.
 * @throws Error for any other
 */
export function ofService<Answer extends { readonly ETag?: string | undefined }>(answer: Answer): Answer {
  if (answer.ETag !== undefined) return answer;
  throw new Error('What answers at the address of the bucket is no S3 service: its answer names no content.');
}

/** Bytes of a part; services take none below 5 MiB but the last. It is in memory while it is sent, maybe several times. */
const PART_BYTES = 8 * 1024 * 1024;

export interface FileToPut {
  readonly Bucket: string;
  readonly Key: string;
  readonly path: string;
  readonly size: number;
}

/**
 * Puts a file into a bucket: an object of that key appears whole or not at all. A large one goes in parts, each of which is sent
 * again by itself when the service fails.
 */
export async function putFile(client: S3Client, file: FileToPut): Promise<void> {
  const { Bucket, Key, path, size } = file;
  await using handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  if (size > PART_BYTES) return await putParts(client, file, handle);
  const Body = await readExactly(handle, { at: 0, length: size });
  ofService(await client.send(new PutObjectCommand({ Bucket, Key, Body })));
}

async function putParts(
  client: S3Client,
  { Bucket, Key, size }: FileToPut,
  handle: FileHandle,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const upload = { Bucket, Key, UploadId };
  try {
    const Parts: CompletedPart[] = [];
    for (let at = 0; at < size; at += PART_BYTES) {
      const PartNumber = Parts.length + 1;
      const Body = await readExactly(handle, { at, length: Math.min(PART_BYTES, size - at) });
      const { ETag } = ofService(await client.send(new UploadPartCommand({ ...upload, PartNumber, Body })));
      Parts.push({ PartNumber, ETag });
    }
    ofService(
      await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })),
    );
  } catch (error) {
    // The service keeps parts, and charges for them, until it is told; if it is away, the bucket's own rule must do it.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
}
