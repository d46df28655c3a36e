import { readArgument, readRequest, Request } from '../content/arguments';
import { Bytes, sameBytes } from '../base/bytes';
import { PRINCIPAL } from '../candid/candid-types';
import { CandidWriter, Schema } from '../candid/candid-schema';
import {
  COMMIT, grant, listHolders, MANAGE_PERMISSIONS, PREPARE, requireController, requirePermission, requireRevocation,
  revoke, setHolders,
} from '../content/permissions';
import { replyNothing } from './replies';
import { caller, reply } from '../base/system';

function principalsResult(): Bytes {
  const schema = new Schema();
  return schema.results([schema.vec(PRINCIPAL)]);
}

const PRINCIPALS_RESULT = principalsResult();

function readPrincipalArgument(): Bytes {
  const reader = readArgument();
  return reader.principal(reader.argument());
}

function readRecordArgument(): Request {
  const reader = readArgument();
  return readRequest(reader, reader.argument());
}

function replyHolders(permission: i32): void {
  const holders = listHolders(permission);
  const writer = new CandidWriter(PRINCIPALS_RESULT);
  writer.uleb(holders.length);
  for (let i = 0; i < holders.length; i++) writer.principal(holders[i]);
  reply(writer);
}

export function authorizeMethod(): void {
  requirePermission(MANAGE_PERMISSIONS);
  grant(COMMIT, readPrincipalArgument());
  replyNothing();
}

export function deauthorizeMethod(): void {
  const principal = readPrincipalArgument();
  if (sameBytes(principal, caller())) requirePermission(COMMIT);
  else requireController();
  revoke(COMMIT, principal);
  replyNothing();
}

export function listAuthorizedMethod(): void {
  replyHolders(COMMIT);
}

export function grantPermissionMethod(): void {
  requirePermission(MANAGE_PERMISSIONS);
  const request = readRecordArgument();
  grant(request.needPermission(), request.needPrincipal('to_principal'));
  replyNothing();
}

export function revokePermissionMethod(): void {
  const request = readRecordArgument();
  const principal = request.needPrincipal('of_principal');
  const permission = request.needPermission();
  requireRevocation(permission, principal);
  revoke(permission, principal);
  replyNothing();
}

export function listPermittedMethod(): void {
  replyHolders(readRecordArgument().needPermission());
}

/** Takes every permission from everyone and gives the calling controller the right to commit. */
export function takeOwnershipMethod(): void {
  requireController();
  setHolders(PREPARE, []);
  setHolders(MANAGE_PERMISSIONS, []);
  setHolders(COMMIT, [caller()]);
  replyNothing();
}
