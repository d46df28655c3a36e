import { workerData } from 'node:worker_threads';
import { SignatureJobs } from './signature-jobs.ts';
import { sodium } from './sodium.ts';

/** Entry of a thread that signs and checks: it does what is in the shared memory until the process ends. */

if (sodium === null) throw new Error('This thread needs libsodium.');
new SignatureJobs(sodium, workerData as SharedArrayBuffer).workOn();
