interface OidcRecord {
  readonly payload: Record<string, unknown>;
  readonly grantId: string | undefined;
  readonly uid: string | undefined;
  readonly expiresAt: Date | undefined;
}

/** Where the embedded OpenID provider keeps what it must not forget. `kind` is the provider's model name. */
export interface OidcRecordStore {
  put(kind: string, id: string, record: OidcRecord): Promise<void>;
  find(kind: string, id: string): Promise<Record<string, unknown> | undefined>;
  findByUid(kind: string, uid: string): Promise<Record<string, unknown> | undefined>;
  /** Marks a one-time record (an authorization code) as used at a time in Unix seconds. */
  consume(kind: string, id: string, at: number): Promise<void>;
  remove(kind: string, id: string): Promise<void>;
  removeGrant(grantId: string): Promise<void>;
}
