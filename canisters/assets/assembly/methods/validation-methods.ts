import { readArgument, readRequest } from '../content/arguments';
import { proposalProblem } from './batch-methods';
import { Bytes, hex } from '../base/bytes';
import { TEXT } from '../candid/candid-types';
import { CandidWriter, Schema } from '../candid/candid-schema';
import { ConfigurationChanges } from './configuration-methods';
import * as f from '../candid/field-ids';
import { nameOf } from '../content/permissions';
import { principalText } from '../base/principal-text';
import { Limit } from '../content/settings';
import { reply } from '../base/system';

/**
 * What SNS proposals call before they are voted on: each tells in words what the method of its name would do, in the
 * words of the reference canister (`validate_…` in `lib.rs` of ic-certified-assets in dfinity/sdk).
 */
function validationResult(): Bytes {
  const schema = new Schema();
  return schema.results([schema.variant([f.TAG_OK, f.TAG_ERR], [TEXT, TEXT])]);
}

const VALIDATION_RESULT = validationResult();
const OK: u32 = 0;
const ERR: u32 = 1;

function replyValid(tag: u32, text: string): void {
  const writer = new CandidWriter(VALIDATION_RESULT);
  writer.uleb(tag);
  writer.candidText(text);
  reply(writer);
}

export function validateGrantPermissionMethod(): void {
  const reader = readArgument();
  const request = readRequest(reader, reader.argument());
  const permission = nameOf(request.needPermission());
  const principal = principalText(request.needPrincipal('to_principal'));
  replyValid(OK, 'grant ' + permission + ' permission to principal ' + principal);
}

export function validateRevokePermissionMethod(): void {
  const reader = readArgument();
  const request = readRequest(reader, reader.argument());
  const permission = nameOf(request.needPermission());
  const principal = principalText(request.needPrincipal('of_principal'));
  replyValid(OK, 'revoke ' + permission + ' permission from principal ' + principal);
}

export function validateTakeOwnershipMethod(): void {
  replyValid(OK, 'revoke all permissions, then gives the caller Commit permissions');
}

export function validateCommitProposedBatchMethod(): void {
  const reader = readArgument();
  const request = readRequest(reader, reader.argument());
  const batch = request.needBatch();
  const evidence = request.needEvidence();
  const problem = proposalProblem(batch, evidence);
  if (problem !== null) replyValid(ERR, problem);
  else replyValid(OK, 'commit proposed batch ' + batch.toString() + ' with evidence ' + hex(evidence));
}

export function validateConfigureMethod(): void {
  const changes = ConfigurationChanges.read(readArgument());
  replyValid(
    OK,
    'configure: ConfigureArguments { max_batches: ' + changeText(changes.maxBatches) +
      ', max_chunks: ' + changeText(changes.maxChunks) +
      ', max_bytes: ' + changeText(changes.maxBytes) + ' }',
  );
}

function changeText(limit: Limit | null): string {
  if (limit === null) return 'None';
  return limit.present ? 'Some(Some(' + limit.value.toString() + '))' : 'Some(None)';
}
