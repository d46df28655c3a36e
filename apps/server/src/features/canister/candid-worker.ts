import { CandidError } from '@cannery/candid';
import { parentPort, workerData } from 'node:worker_threads';
import { type CandidRequest, type CandidResult, doCandidWork } from './candid-work.ts';

function answer(request: CandidRequest): CandidResult {
  try {
    return { value: doCandidWork(request) };
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    return { problem: error.message };
  }
}

parentPort?.postMessage(answer(workerData as CandidRequest));
