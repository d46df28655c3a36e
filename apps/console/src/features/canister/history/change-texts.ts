import type { CanisterChange } from '@cannery/contract';
import {
  Camera,
  CirclePlay,
  CirclePlus,
  CircleQuestionMark,
  CircleStop,
  CodeXml,
  History,
  type LucideIcon,
  PackagePlus,
  RotateCcw,
  Settings2,
  Trash2,
  UserRoundCog,
} from 'lucide-react';

interface ChangeLook {
  readonly text: string;
  readonly Icon: LucideIcon;
}

/** How each kind of change is told. */
export const changeLooks: Record<CanisterChange['kind'], ChangeLook> = {
  created: { text: 'Created', Icon: CirclePlus },
  installed: { text: 'Code installed', Icon: PackagePlus },
  upgraded: { text: 'Code upgraded', Icon: CodeXml },
  reinstalled: { text: 'Code re-installed, data erased', Icon: RotateCcw },
  settings: { text: 'Settings changed', Icon: Settings2 },
  started: { text: 'Started', Icon: CirclePlay },
  stopped: { text: 'Stopped', Icon: CircleStop },
  topped_up: { text: 'Cycles added', Icon: CirclePlus },
  topup_uncertain: { text: 'Adding cycles is uncertain', Icon: CircleQuestionMark },
  snapshot_taken: { text: 'Snapshot taken', Icon: Camera },
  snapshot_restored: { text: 'Snapshot restored', Icon: History },
  snapshot_deleted: { text: 'Snapshot deleted', Icon: Trash2 },
  outside: { text: 'Changed outside the console', Icon: UserRoundCog },
};

/** Who has made a change. What nobody has signed in for was made elsewhere, or is a note of the console itself. */
export function actorOf({ actor, kind }: Pick<CanisterChange, 'actor' | 'kind'>): string {
  return actor ?? (kind === 'outside' ? 'someone outside the console' : 'the console');
}
