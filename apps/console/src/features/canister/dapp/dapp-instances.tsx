import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CandidLink } from '../../../components/ui/candid-link.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { paths } from '../../../config/paths.ts';
import { shown } from '../../../lib/text/formats.ts';
import { OpenLine } from '../site/open-site.tsx';
import { InstanceVersions } from './instance-versions.tsx';
import { instancesQuery } from './instances.ts';

/** Rows on show; the rest is among the canisters. */
const SHOWN = 25;

/** The user's canisters that run a dapp; nothing where there is none. */
export function DappInstances({ dappId }: { dappId: string }) {
  const { data } = useQuery(instancesQuery);
  const instances = (data ?? []).filter(({ dapp_id: id }) => id === dappId);
  if (instances.length === 0) return null;
  return (
    <Card className="animate-entrance" aria-label="Your instances">
      <CardHeader title="Your instances" note={String(instances.length)} />
      <ul>
        {instances.slice(0, SHOWN).map((instance) => (
          <li
            key={instance.canister_id}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-5 py-3 text-sm"
          >
            <Link
              to={paths.canister}
              params={{ id: instance.canister_id }}
              className="font-medium wrap-anywhere text-accent hover:underline"
            >
              {shown(instance.canister_name)}
            </Link>
            <InstanceVersions instance={instance} />
            <span className="flex flex-wrap items-center gap-3 sm:ml-auto">
              <OpenLine
                canister={{ id: instance.canister_id, serves_http: instance.serves_http === true }}
                picture={instance.picture}
              />
              <CandidLink id={instance.canister_id} label="Try it" size="small" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
