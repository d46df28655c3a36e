/** Field and tag numbers of assets.did: Candid's hash of each name. A test computes them again. */
/** accept_encodings */
export const ACCEPT_ENCODINGS: u32 = 2245317897;
/** allow_raw_access */
export const ALLOW_RAW_ACCESS: u32 = 3021287825;
/** batch_id */
export const BATCH_ID: u32 = 1309252224;
/** body */
export const BODY: u32 = 1092319906;
/** Callback */
export const TAG_CALLBACK: u32 = 1488475621;
/** callback */
export const CALLBACK: u32 = 2131139013;
/** certificate */
export const CERTIFICATE: u32 = 457361687;
/** certificate_version */
export const CERTIFICATE_VERSION: u32 = 1661892784;
/** chunk_id */
export const CHUNK_ID: u32 = 1745989037;
/** chunk_ids */
export const CHUNK_IDS: u32 = 2808498726;
/** Clear */
export const TAG_CLEAR: u32 = 3683180909;
/** Commit */
export const TAG_COMMIT: u32 = 4223853591;
/** commit */
export const COMMIT: u32 = 3341709303;
/** content */
export const CONTENT: u32 = 427265337;
/** content_encoding */
export const CONTENT_ENCODING: u32 = 3425830873;
/** content_type */
export const CONTENT_TYPE: u32 = 1400566464;
/** CreateAsset */
export const TAG_CREATE_ASSET: u32 = 870791476;
/** DeleteAsset */
export const TAG_DELETE_ASSET: u32 = 2590061989;
/** enable_aliasing */
export const ENABLE_ALIASING: u32 = 3801740750;
/** encodings */
export const ENCODINGS: u32 = 488811584;
/** Err */
export const TAG_ERR: u32 = 3456837;
/** evidence */
export const EVIDENCE: u32 = 2389509079;
/** Exact */
export const TAG_EXACT: u32 = 172069535;
/** from */
export const FROM: u32 = 1136829802;
/** headers */
export const HEADERS: u32 = 1661489734;
/** index */
export const INDEX: u32 = 3189021458;
/** Init */
export const TAG_INIT: u32 = 815032112;
/** is_aliased */
export const IS_ALIASED: u32 = 2154487130;
/** key */
export const KEY: u32 = 5343647;
/** last_chunk */
export const LAST_CHUNK: u32 = 3622861956;
/** last_state_update_timestamp */
export const LAST_STATE_UPDATE_TIMESTAMP: u32 = 1400484119;
/** length */
export const LENGTH: u32 = 2668074214;
/** manage_permissions */
export const MANAGE_PERMISSIONS: u32 = 3397694570;
/** ManagePermissions */
export const TAG_MANAGE_PERMISSIONS: u32 = 2556481023;
/** max_age */
export const MAX_AGE: u32 = 3563873892;
/** max_batches */
export const MAX_BATCHES: u32 = 2514275021;
/** max_bytes */
export const MAX_BYTES: u32 = 3027627344;
/** max_chunks */
export const MAX_CHUNKS: u32 = 3488955617;
/** method */
export const METHOD: u32 = 156956385;
/** modified */
export const MODIFIED: u32 = 382196553;
/** of_principal */
export const OF_PRINCIPAL: u32 = 1213075014;
/** Ok */
export const TAG_OK: u32 = 17724;
/** operations */
export const OPERATIONS: u32 = 2553486956;
/** Pattern */
export const TAG_PATTERN: u32 = 3737660976;
/** permission */
export const PERMISSION: u32 = 97415439;
/** Prepare */
export const TAG_PREPARE: u32 = 86948199;
/** prepare */
export const PREPARE: u32 = 937267591;
/** rules */
export const RULES: u32 = 4048970743;
/** set_permissions */
export const SET_PERMISSIONS: u32 = 3414274343;
/** SetAssetContent */
export const TAG_SET_ASSET_CONTENT: u32 = 3104523211;
/** SetAssetProperties */
export const TAG_SET_ASSET_PROPERTIES: u32 = 749874337;
/** SetRedirectRules */
export const TAG_SET_REDIRECT_RULES: u32 = 2334591577;
/** sha256 */
export const SHA256: u32 = 486188135;
/** start */
export const START: u32 = 2215343202;
/** state_hash */
export const STATE_HASH: u32 = 3570612220;
/** status */
export const STATUS: u32 = 100394802;
/** status_code */
export const STATUS_CODE: u32 = 3475804314;
/** streaming_strategy */
export const STREAMING_STRATEGY: u32 = 3427158832;
/** Subtree */
export const TAG_SUBTREE: u32 = 4252969662;
/** to */
export const TO: u32 = 25979;
/** to_principal */
export const TO_PRINCIPAL: u32 = 417134506;
/** token */
export const TOKEN: u32 = 338395897;
/** total_length */
export const TOTAL_LENGTH: u32 = 3911979841;
/** tree */
export const TREE: u32 = 1292081502;
/** UnsetAssetContent */
export const TAG_UNSET_ASSET_CONTENT: u32 = 1780851090;
/** Upgrade */
export const TAG_UPGRADE: u32 = 813882492;
/** upgrade */
export const UPGRADE: u32 = 1664201884;
/** url */
export const URL: u32 = 5843823;
