/**
 * The entry points of the canister. The build renames an export `canister_update__name` to `canister_update name`,
 * which no identifier can be called.
 */
import * as batch from './methods/batch-methods';
import * as content from './methods/content-methods';
import * as http from './http/http-methods';
import * as configuration from './methods/configuration-methods';
import * as evidence from './methods/evidence-methods';
import * as lifecycle from './methods/lifecycle';
import { endMessage, endQuietMessage } from './methods/message-end';
import * as permission from './methods/permission-methods';
import * as query from './methods/query-methods';
import * as rules from './methods/rule-messages';
import * as validation from './methods/validation-methods';

export function canister_init(): void { lifecycle.initialize(); endMessage(); }
export function canister_post_upgrade(): void { lifecycle.resume(); endMessage(); }

export function canister_update__create_batch(): void { batch.createBatchMethod(); endQuietMessage(); }
export function canister_update__create_chunk(): void { batch.createChunkMethod(); endQuietMessage(); }
export function canister_update__create_chunks(): void { batch.createChunksMethod(); endQuietMessage(); }
export function canister_update__delete_batch(): void { batch.deleteBatchMethod(); endQuietMessage(); }
export function canister_update__commit_batch(): void { batch.commitBatchMethod(); endMessage(); }
export function canister_update__propose_commit_batch(): void { batch.proposeCommitBatchMethod(); endQuietMessage(); }
export function canister_update__commit_proposed_batch(): void { batch.commitProposedBatchMethod(); endMessage(); }
export function canister_update__compute_evidence(): void { evidence.computeEvidenceMethod(); endMessage(); }
export function canister_update__compute_state_hash(): void { evidence.computeStateHashMethod(); endMessage(); }
export function canister_update__create_asset(): void { content.createAssetMethod(); endMessage(); }
export function canister_update__set_asset_content(): void { content.setAssetContentMethod(); endMessage(); }
export function canister_update__unset_asset_content(): void { content.unsetAssetContentMethod(); endMessage(); }
export function canister_update__delete_asset(): void { content.deleteAssetMethod(); endMessage(); }
export function canister_update__set_asset_properties(): void { content.setAssetPropertiesMethod(); endMessage(); }
export function canister_update__clear(): void { content.clearMethod(); endMessage(); }
export function canister_update__store(): void { content.storeMethod(); endMessage(); }

export function canister_update__authorize(): void { permission.authorizeMethod(); endQuietMessage(); }
export function canister_update__deauthorize(): void { permission.deauthorizeMethod(); endQuietMessage(); }
export function canister_update__list_authorized(): void { permission.listAuthorizedMethod(); endQuietMessage(); }
export function canister_update__grant_permission(): void { permission.grantPermissionMethod(); endQuietMessage(); }
export function canister_update__revoke_permission(): void { permission.revokePermissionMethod(); endQuietMessage(); }
export function canister_update__list_permitted(): void { permission.listPermittedMethod(); endQuietMessage(); }
export function canister_update__take_ownership(): void { permission.takeOwnershipMethod(); endQuietMessage(); }

export function canister_update__configure(): void { configuration.configureMethod(); endQuietMessage(); }
export function canister_update__get_configuration(): void { configuration.getConfigurationMethod(); endQuietMessage(); }
export function canister_update__validate_grant_permission(): void { validation.validateGrantPermissionMethod(); endQuietMessage(); }
export function canister_update__validate_revoke_permission(): void { validation.validateRevokePermissionMethod(); endQuietMessage(); }
export function canister_update__validate_take_ownership(): void { validation.validateTakeOwnershipMethod(); endQuietMessage(); }
export function canister_update__validate_commit_proposed_batch(): void { validation.validateCommitProposedBatchMethod(); endQuietMessage(); }
export function canister_update__validate_configure(): void { validation.validateConfigureMethod(); endQuietMessage(); }

export function canister_query__api_version(): void { query.apiVersionMethod(); endQuietMessage(); }
export function canister_query__get(): void { query.getMethod(); endQuietMessage(); }
export function canister_query__get_chunk(): void { query.getChunkMethod(); endQuietMessage(); }
export function canister_query__list(): void { query.listMethod(); endQuietMessage(); }
export function canister_query__certified_tree(): void { query.certifiedTreeMethod(); endQuietMessage(); }
export function canister_query__get_asset_properties(): void { query.getAssetPropertiesMethod(); endQuietMessage(); }
export function canister_query__get_redirect_rules(): void { rules.getRedirectRulesMethod(); endQuietMessage(); }
export function canister_query__redirect_rules_hash(): void { rules.redirectRulesHashMethod(); endQuietMessage(); }
export function canister_query__get_state_info(): void { evidence.getStateInfoMethod(); endQuietMessage(); }
export function canister_query__http_request(): void { http.httpRequestMethod(); endQuietMessage(); }
export function canister_query__http_request_streaming_callback(): void { http.streamingCallbackMethod(); endQuietMessage(); }
