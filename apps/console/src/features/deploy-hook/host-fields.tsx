import { useState } from 'react';
import { Select } from '../../components/ui/select.tsx';
import { hookHostOf, hookHosts, hostGuides } from './host-guide.ts';

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
