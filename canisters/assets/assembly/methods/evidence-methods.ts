import { readArgument, readRequest } from '../content/arguments';
import * as batches from '../content/batches';
import { EvidenceJob, replyEvidence } from './evidence-job';
import { run } from './jobs';
import { PREPARE, requirePermission } from '../content/permissions';
import { replyStateHash, replyStateInfo, stateHash, StateHashJob } from './state-hash';
import { trap } from '../base/system';

/** Always answers with the evidence: the work takes as many messages as it needs, whatever `max_iterations` says. */
export function computeEvidenceMethod(): void {
  requirePermission(PREPARE);
  const reader = readArgument();
  const batch = batches.require(readRequest(reader, reader.argument()).needBatch());
  const evidence = batch.evidence;
  if (evidence !== null) {
    replyEvidence(evidence);
    return;
  }
  const proposal = batch.proposal;
  if (proposal === null) trap('batch does not have CommitBatchArguments');
  run(new EvidenceJob(batch.id, proposal!.load()));
}

export function computeStateHashMethod(): void {
  if (stateHash().length > 0) replyStateHash();
  else run(new StateHashJob());
}

export function getStateInfoMethod(): void {
  replyStateInfo();
}
