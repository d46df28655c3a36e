/**
 * The entry points of the canister. The build renames an export `canister_update__name` to `canister_update name`,
 * which no identifier can be called.
 */
import * as batch from './batch-methods';
import * as content from './content-methods';
import * as http from './http-methods';
import * as lifecycle from './lifecycle';
import * as permission from './permission-methods';
import { saveIndex } from './persistence';
import * as query from './query-methods';
import { releaseArgument } from './system';

/** How many messages that leave little behind may pass between two collections of unused objects. */
const QUIET_MESSAGES: i32 = 64;
let quietMessages: i32 = 0;

/** After a message that changed the index; nothing of it may be in use any more. */
function collect(): void {
  releaseArgument();
  quietMessages = 0;
  __collect();
}

/** After a message that made few objects. */
function settle(): void {
  releaseArgument();
  if (++quietMessages >= QUIET_MESSAGES) collect();
}

export function canister_init(): void { lifecycle.initialize(); collect(); }
export function canister_pre_upgrade(): void { saveIndex(); }
export function canister_post_upgrade(): void { lifecycle.resume(); collect(); }

export function canister_update__create_batch(): void { batch.createBatchMethod(); settle(); }
export function canister_update__create_chunk(): void { batch.createChunkMethod(); settle(); }
export function canister_update__create_chunks(): void { batch.createChunksMethod(); settle(); }
export function canister_update__delete_batch(): void { batch.deleteBatchMethod(); settle(); }
export function canister_update__commit_batch(): void { content.commitBatch(); collect(); }
export function canister_update__create_asset(): void { content.createAssetMethod(); collect(); }
export function canister_update__set_asset_content(): void { content.setAssetContentMethod(); collect(); }
export function canister_update__unset_asset_content(): void { content.unsetAssetContentMethod(); collect(); }
export function canister_update__delete_asset(): void { content.deleteAssetMethod(); collect(); }
export function canister_update__set_asset_properties(): void { content.setAssetPropertiesMethod(); collect(); }
export function canister_update__clear(): void { content.clearMethod(); collect(); }
export function canister_update__store(): void { content.storeMethod(); collect(); }

export function canister_update__authorize(): void { permission.authorizeMethod(); settle(); }
export function canister_update__deauthorize(): void { permission.deauthorizeMethod(); settle(); }
export function canister_update__list_authorized(): void { permission.listAuthorizedMethod(); settle(); }
export function canister_update__grant_permission(): void { permission.grantPermissionMethod(); settle(); }
export function canister_update__revoke_permission(): void { permission.revokePermissionMethod(); settle(); }
export function canister_update__list_permitted(): void { permission.listPermittedMethod(); settle(); }
export function canister_update__take_ownership(): void { permission.takeOwnershipMethod(); settle(); }

export function canister_query__api_version(): void { query.apiVersionMethod(); settle(); }
export function canister_query__get(): void { query.getMethod(); settle(); }
export function canister_query__get_chunk(): void { query.getChunkMethod(); settle(); }
export function canister_query__list(): void { query.listMethod(); settle(); }
export function canister_query__certified_tree(): void { query.certifiedTreeMethod(); settle(); }
export function canister_query__get_asset_properties(): void { query.getAssetPropertiesMethod(); settle(); }
export function canister_query__http_request(): void { http.httpRequestMethod(); settle(); }
export function canister_query__http_request_streaming_callback(): void { http.streamingCallbackMethod(); settle(); }
