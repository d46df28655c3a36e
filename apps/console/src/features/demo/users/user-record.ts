/** A user of the sample screen: nobody, and known nowhere else. */
export interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: UserRole;
}

export const userRoles = ['Owner', 'Editor', 'Reader'] as const;
type UserRole = (typeof userRoles)[number];

/** What the form asks for. */
export type UserFields = Omit<UserRecord, 'id'>;
