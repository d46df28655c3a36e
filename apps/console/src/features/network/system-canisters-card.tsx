import type { EmbeddedNetwork, SystemCanisterState } from '@cannery/contract';
import { CandidLink } from '../../components/ui/candid-link.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { Chip, type Tone } from '../../components/ui/chip.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { systemName } from '../../lib/shared/system-canisters.ts';

/** What each does, in one sentence. */
const deeds: Readonly<Record<string, string>> = {
  'ryjl3-tyaaa-aaaaa-aaaba-cai': 'Keeps accounts of ICP, which is worth nothing here.',
  'rkp4c-7iaaa-aaaaa-aaaca-cai': 'Gives cycles and canisters for ICP, at a rate that stands still.',
  'um5iw-rqaaa-aaaaq-qaaba-cai': 'Keeps accounts of cycles, and creates and tops up canisters from there.',
  'rdmx6-jaaaa-aaaaa-aaadq-cai': 'Signs people in to sites, by a name or with a passkey.',
  'a4gq6-oaaaa-aaaab-qaa4q-cai': 'Leads to the Candid page of a canister; tools print its address.',
};

const looks: Readonly<Record<SystemCanisterState, readonly [Tone, string]>> = {
  running: ['ok', 'Running'],
  stopping: ['warn', 'Stopping'],
  stopped: ['bad', 'Stopped'],
  empty: ['warn', 'No code'],
  missing: ['bad', 'Missing'],
  foreign: ['warn', "Somebody's canister"],
};

/** On this network the Candid UI is a page of its gateway, which has no interface. */
const CANDID_UI = 'a4gq6-oaaaa-aaaab-qaa4q-cai';

function Row({ id, state }: EmbeddedNetwork['services'][number]) {
  const [tone, word] = looks[state];
  const name = systemName(id) ?? id;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{name}</span>
          <Chip tone={tone}>{word}</Chip>
        </p>
        <p className="text-sm text-pretty text-muted">{deeds[id]}</p>
        <IdText id={id} of={`id of ${name}`} short="to-fit" className="text-muted" />
      </div>
      {id !== CANDID_UI && state !== 'missing' && <CandidLink id={id} label="Open" size="small" />}
    </li>
  );
}

/** The canisters that the network brings along, and belong to nobody. */
export function SystemCanistersCard({ services }: Pick<EmbeddedNetwork, 'services'>) {
  return (
    <Card className="animate-entrance" aria-label="System canisters">
      <CardHeader title="System canisters" note={services.length} />
      {services.length === 0 ? (
        <p className="border-t border-line px-5 py-4 text-sm text-pretty text-muted">
          This network was started without any. The setting NETWORK_SERVICES says which it brings along.
        </p>
      ) : (
        <ul>
          {services.map((service) => (
            <Row key={service.id} {...service} />
          ))}
        </ul>
      )}
    </Card>
  );
}
