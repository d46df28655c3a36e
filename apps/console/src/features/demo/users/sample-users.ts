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

/** The users of the sample screen. They live as long as the page; no call is made for them. */
let users: readonly UserRecord[] = [
  { id: '1', name: 'Vera Lindqvist', email: 'vera@example.org', role: 'Owner' },
  { id: '2', name: 'Tomás Herrera', email: 'tomas@example.org', role: 'Editor' },
  { id: '3', name: 'Aiko Tanabe', email: 'aiko@example.org', role: 'Editor' },
  { id: '4', name: 'Jonas Weber', email: 'jonas@example.org', role: 'Reader' },
  { id: '5', name: 'Nkechi Obi', email: 'nkechi@example.org', role: 'Reader' },
  { id: '6', name: 'Lucía Ferrer', email: 'lucia@example.org', role: 'Reader' },
  { id: '7', name: 'Piotr Zieliński', email: 'piotr@example.org', role: 'Editor' },
];

let nextId = users.length + 1;

/** The users whose name or email holds the text, in whatever case. */
export async function fetchUsers(filter: string): Promise<readonly UserRecord[]> {
  const text = filter.trim().toLowerCase();
  return users.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(text));
}

/** @throws Error when there is no such user */
export async function findUser(id: string): Promise<UserRecord> {
  const user = users.find((one) => one.id === id);
  if (user === undefined) throw new Error('There is no such user.');
  return user;
}

export async function createUser(fields: UserFields): Promise<void> {
  users = [...users, { id: String(nextId), ...fields }];
  nextId += 1;
}

/** @throws Error when there is no such user */
export async function updateUser(id: string, fields: UserFields): Promise<void> {
  await findUser(id);
  users = users.map((one) => (one.id === id ? { id, ...fields } : one));
}

/** @throws Error when there is no such user */
export async function deleteUser(id: string): Promise<void> {
  await findUser(id);
  users = users.filter((one) => one.id !== id);
}

/** The sentence of a failure. */
export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : 'Something went wrong';
}
