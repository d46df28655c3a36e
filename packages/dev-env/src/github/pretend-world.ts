import { randomBytes } from 'node:crypto';
import { described } from './description.ts';

export interface PretendAccount {
  readonly id: number;
  login: string;
  readonly type: 'User' | 'Organization';
}

export interface PretendRepository {
  readonly id: number;
  readonly owner: PretendAccount;
  name: string;
  readonly private: boolean;
  readonly branches: string[];
  /** What people may do besides the owner: read, write or admin. */
  readonly rights: Map<string, string>;
  readonly pushedAt: string;
}

export interface PretendInstallation {
  readonly id: number;
  readonly account: PretendAccount;
  suspended: boolean;
}

/** A token that GitHub gave out. */
export interface PretendToken {
  readonly token: string;
  readonly kind: 'installation' | 'user';
  readonly installationId: number | undefined;
  /** Undefined for all of the installation. */
  readonly repositoryIds: readonly number[] | undefined;
  readonly permissions: Readonly<Record<string, string>>;
  readonly person: PretendAccount | undefined;
  readonly expiresAt: number;
  revoked: boolean;
}

export interface PretendStatus {
  readonly repository: string;
  readonly sha: string;
  readonly state: string;
  readonly context: string;
  readonly description: string;
  readonly target_url: string;
}

const HOUR_MS = 3_600_000;

/** Who and what there is at the pretend GitHub. */
export class PretendWorld {
  readonly accounts: PretendAccount[] = [];
  readonly repositories: PretendRepository[] = [];
  readonly installations: PretendInstallation[] = [];
  readonly tokens: PretendToken[] = [];
  readonly statuses: PretendStatus[] = [];
  /** Calls that the app has no right to, such as `GET /repos/{owner}/{repo}`. */
  readonly refused = new Set<string>();
  readonly codes = new Map<string, PretendAccount>();
  #next = 1_000;

  #id(): number {
    this.#next += 7;
    return this.#next;
  }

  account(login: string, type: PretendAccount['type'] = 'User'): PretendAccount {
    const found = this.accounts.find((one) => one.login === login);
    if (found !== undefined) return found;
    const account = { id: this.#id(), login, type };
    this.accounts.push(account);
    return account;
  }

  repository(fullName: string, options: { private?: boolean; branches?: string[] } = {}): PretendRepository {
    const [login = '', name = ''] = fullName.split('/');
    const repository = {
      id: this.#id(),
      owner: this.account(login),
      name,
      private: options.private ?? true,
      branches: options.branches ?? ['main'],
      rights: new Map<string, string>(),
      pushedAt: new Date(Date.UTC(2026, 0, 1) + this.#next * 60_000).toISOString(),
    };
    this.repositories.push(repository);
    return repository;
  }

  install(account: PretendAccount): PretendInstallation {
    const installation = { id: this.#id(), account, suspended: false };
    this.installations.push(installation);
    return installation;
  }

  uninstall(id: number): void {
    this.installations.splice(
      this.installations.findIndex((one) => one.id === id),
      1,
    );
  }

  /** A code that the browser of a person brings, as after the pages of GitHub. */
  code(person: PretendAccount): string {
    const code = randomBytes(10).toString('hex');
    this.codes.set(code, person);
    return code;
  }

  issue(token: Partial<PretendToken> & Pick<PretendToken, 'kind'>): PretendToken {
    const issued: PretendToken = {
      installationId: undefined,
      repositoryIds: undefined,
      permissions: {},
      person: undefined,
      expiresAt: Date.now() + HOUR_MS,
      revoked: false,
      ...token,
      token: `${token.kind === 'user' ? 'ghu' : 'ghs'}_${randomBytes(18).toString('hex')}`,
    };
    this.tokens.push(issued);
    return issued;
  }

  /** What a person may do with a repository. */
  rightOf(person: PretendAccount | undefined, repository: PretendRepository): string {
    if (person === undefined) return 'none';
    if (person === repository.owner) return 'admin';
    return repository.rights.get(person.login) ?? (repository.private ? 'none' : 'read');
  }

  /** The repositories of an installation that a person was given a right to. */
  explicitly(person: PretendAccount, { account }: PretendInstallation): PretendRepository[] {
    return this.repositories.filter(
      (one) => one.owner === account && (person === account || one.rights.has(person.login)),
    );
  }

  visible(person: PretendAccount): PretendInstallation[] {
    return this.installations.filter(
      (one) => one.account === person || this.explicitly(person, one).length > 0,
    );
  }

  /** Whether a token reaches a repository, with a permission. */
  reaches(token: PretendToken | undefined, repository: PretendRepository, permission: string): boolean {
    if (token === undefined || token.permissions[permission] === undefined) return false;
    const installation = this.installations.find(({ id }) => id === token.installationId);
    if (installation?.account !== repository.owner || installation.suspended) return false;
    return token.repositoryIds?.includes(repository.id) ?? true;
  }
}

export function describeAccount({ id, login, type }: PretendAccount): Record<string, unknown> {
  return described('simple-user', { id, login, type });
}

export function describeRepository(
  repository: PretendRepository,
  schema = 'repository',
): Record<string, unknown> {
  const { id, name, owner, branches, pushedAt } = repository;
  return described(schema, {
    id,
    name,
    full_name: `${owner.login}/${name}`,
    private: repository.private,
    owner: describeAccount(owner),
    default_branch: branches[0] ?? 'main',
    pushed_at: pushedAt,
  });
}

export function describeInstallation({
  id,
  account,
  suspended,
}: PretendInstallation): Record<string, unknown> {
  return described('installation', {
    id,
    account: describeAccount(account),
    target_id: account.id,
    target_type: account.type,
    suspended_at: suspended ? new Date().toISOString() : null,
  });
}
