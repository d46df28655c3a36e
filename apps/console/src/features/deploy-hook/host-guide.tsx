import { useState } from 'react';
import { Select } from '../../components/ui/select.tsx';

/** Kinds of git hosts, by how their settings look. */
const hookHosts = ['github', 'gitlab', 'gitea', 'bitbucket'] as const;
export type HookHost = (typeof hookHosts)[number];

/** A field of the git host's form and what belongs into it. */
interface HostField {
  readonly field: string;
  readonly value: string;
}

interface HostGuide {
  readonly name: string;
  /** Where the form is. */
  readonly place: string;
  readonly fields: readonly HostField[];
}

const ADDRESS = 'the address above';
const SECRET = 'the secret';

/** Which fields of which form to fill in. */
const hostGuides: Readonly<Record<HookHost, HostGuide>> = {
  github: {
    name: 'GitHub',
    place: 'Settings > Webhooks > Add webhook',
    fields: [
      { field: 'Payload URL', value: ADDRESS },
      { field: 'Content type', value: 'application/json' },
      { field: 'Secret', value: SECRET },
      { field: 'Which events', value: 'Just the push event' },
    ],
  },
  gitlab: {
    name: 'GitLab',
    place: 'Settings > Webhooks > Add new webhook',
    fields: [
      { field: 'URL', value: ADDRESS },
      { field: 'Secret token', value: SECRET },
      { field: 'Trigger', value: 'Push events' },
    ],
  },
  gitea: {
    name: 'Gitea, Forgejo, Codeberg',
    place: 'Settings > Webhooks > Add webhook > Forgejo or Gitea',
    fields: [
      { field: 'Target URL', value: ADDRESS },
      { field: 'HTTP method', value: 'POST' },
      { field: 'POST content type', value: 'application/json' },
      { field: 'Secret', value: SECRET },
      { field: 'Trigger on', value: 'Push events' },
    ],
  },
  bitbucket: {
    name: 'Bitbucket',
    place: 'Repository settings > Webhooks > Add webhook',
    fields: [
      { field: 'URL', value: ADDRESS },
      { field: 'Secret', value: SECRET },
      { field: 'Triggers', value: 'Repository push' },
    ],
  },
};

/** The kind of git host that an address of a repository names; that of Gitea for one that nobody knows. */
export function hookHostOf(url: string): HookHost {
  const host = URL.parse(url)?.hostname ?? '';
  return (['github', 'gitlab', 'bitbucket'] as const).find((name) => host.includes(name)) ?? 'gitea';
}

const options = hookHosts.map((value) => ({ value, label: hostGuides[value].name }));

/** What to fill in at the git host of a repository. */
export function HostFields({ repositoryUrl }: { repositoryUrl: string }) {
  const [host, setHost] = useState(() => hookHostOf(repositoryUrl));
  const { place, fields } = hostGuides[host];
  return (
    <div className="flex flex-col gap-3">
      <Select label="Git host" options={options} value={host} onChange={setHost} />
      <p className="text-sm">
        In the repository, open <span className="font-medium">{place}</span> and fill in:
      </p>
      <dl
        aria-label={`Fields at ${hostGuides[host].name}`}
        className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5 text-sm"
      >
        {fields.map(({ field, value }) => (
          <div key={field} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-muted">{field}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
