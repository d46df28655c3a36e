declare module '@20minutes/s3rver' {
  import type { RequestListener } from 'node:http';

  /** The parts that tests use; the package brings no types. */
  export default class S3rver {
    constructor(options: { silent: boolean; directory: string; configureBuckets: { name: string }[] });
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}
