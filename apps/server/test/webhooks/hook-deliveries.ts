import { createHmac, randomUUID } from 'node:crypto';
import type { WireCall } from '../support/wire.ts';

/** What a git host is told to send, and where. */
export interface HookUnderTest {
  /** The address that the console shows. */
  readonly address: string;
  readonly secret: string;
}

/** Kinds of git hosts, as they call a webhook. */
export const hookHosts = ['GitHub', 'Gitea', 'Forgejo', 'Bitbucket', 'GitLab'] as const;
export type HookHost = (typeof hookHosts)[number];

/** A push, or something else that a git host tells of. */
export interface ToldEvent {
  readonly host: HookHost;
  /** As the host's event header says. */
  readonly event?: string;
  readonly body: string;
  /** What the host calls the delivery. */
  readonly delivery?: string;
  readonly type?: string;
}

const NOTHING = '0'.repeat(40);
const person = { name: 'Ada', email: 'ada@example.org', username: 'ada' };

/** What differs from push to push. */
export interface Pushed {
  readonly ref: string;
  readonly before?: string;
  /** Zeros when the branch was deleted. */
  readonly after?: string;
  /** Of the newest commit. */
  readonly message?: string;
}

const changed = { added: ['index.html'], removed: [], modified: [] };

/** The body of a push as the documentation of each host shows it; each push is another one. */
export function pushBody(
  host: HookHost,
  { ref, before = NOTHING, after = 'ab'.repeat(20), message = 'New bread' }: Pushed,
): string {
  const at = new Date().toISOString();
  const commit = {
    id: after,
    message,
    timestamp: at,
    url: 'https://git.example/c',
    author: person,
  };
  const repository = {
    id: 140,
    name: 'mill',
    full_name: 'flour/mill',
    private: false,
    default_branch: 'main',
  };
  const commits = after === NOTHING ? [] : [{ ...commit, committer: person, ...changed }];
  switch (host) {
    case 'GitHub':
      return JSON.stringify({
        ref,
        before,
        after,
        created: before === NOTHING,
        deleted: after === NOTHING,
        forced: false,
        base_ref: null,
        compare: 'https://github.com/flour/mill/compare/a...b',
        commits,
        head_commit: commits[0] ?? null,
        repository: { ...repository, pushed_at: Date.now(), html_url: 'https://github.com/flour/mill' },
        pusher: { name: 'ada', email: 'ada@example.org' },
        sender: { login: 'ada', id: 1 },
      });
    case 'Gitea':
    case 'Forgejo':
      return JSON.stringify({
        ref,
        before,
        after,
        compare_url: 'https://git.example/flour/mill/compare/a...b',
        commits,
        total_commits: commits.length,
        head_commit: commits[0] ?? null,
        // One call in a millisecond more than the clock shows.
        repository: { ...repository, updated_at: `${at} ${randomUUID()}`, owner: { login: 'flour' } },
        pusher: { login: 'ada' },
        sender: { login: 'ada' },
      });
    case 'Bitbucket': {
      const name = ref.replace(/^refs\/(?:heads|tags)\//, '');
      const target = { type: 'commit', hash: after, date: at, message };
      const type = ref.startsWith('refs/tags/') ? 'tag' : 'branch';
      const now = after === NOTHING ? null : { type, name, target };
      return JSON.stringify({
        push: {
          changes: [{ old: null, new: now, created: true, closed: false, forced: false, commits: [] }],
        },
        repository: { type: 'repository', full_name: 'flour/mill', name: 'mill', is_private: false },
        actor: { type: 'user', display_name: 'Ada' },
      });
    }
    case 'GitLab':
      return JSON.stringify({
        object_kind: 'push',
        event_name: 'push',
        before,
        after,
        ref,
        ref_protected: true,
        checkout_sha: after === NOTHING ? null : after,
        user_id: 4,
        user_name: 'Ada',
        project_id: 15,
        project: { id: 15, name: 'mill', web_url: 'https://gitlab.com/flour/mill', default_branch: 'main' },
        commits,
        total_commits_count: commits.length,
        repository: { name: 'mill', git_http_url: 'https://gitlab.com/flour/mill.git' },
      });
  }
}

const hexOf = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** The headers of each host that count. Gitea and Forgejo send those of GitHub as well. */
function headersOf({ host, event, body, delivery = randomUUID() }: ToldEvent, secret: string) {
  const hex = hexOf(body, secret);
  const github = {
    'x-github-event': event ?? 'push',
    'x-github-delivery': delivery,
    'x-hub-signature-256': `sha256=${hex}`,
    'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
  };
  const gitea = {
    ...github,
    'x-gitea-event': event ?? 'push',
    'x-gitea-delivery': delivery,
    'x-gitea-signature': hex,
  };
  const all: Record<HookHost, Record<string, string>> = {
    GitHub: github,
    Gitea: gitea,
    Forgejo: {
      ...gitea,
      'x-forgejo-event': event ?? 'push',
      'x-forgejo-delivery': delivery,
      'x-forgejo-signature': hex,
    },
    Bitbucket: {
      'x-event-key': event ?? 'repo:push',
      'x-request-uuid': delivery,
      'x-attempt-number': '1',
      'x-hub-signature': `sha256=${hex}`,
    },
    GitLab: {
      'x-gitlab-event': event ?? 'Push Hook',
      'x-gitlab-event-uuid': delivery,
      'x-gitlab-token': secret,
    },
  };
  return all[host];
}

/** The call that a git host makes. */
export function deliveryOf({ address, secret }: HookUnderTest, told: ToldEvent): WireCall {
  const type = told.type ?? 'application/json';
  return {
    method: 'POST',
    path: new URL(address).pathname,
    headers: { 'content-type': type, ...headersOf(told, secret) },
    body: told.body,
  };
}

/** The call for a push. */
export function pushTo(
  hook: HookUnderTest,
  host: HookHost,
  pushed: Pushed = { ref: 'refs/heads/main' },
): WireCall {
  return deliveryOf(hook, { host, body: pushBody(host, pushed) });
}
