import type { CanisterDetails } from '@cannery/contract';
import { Chip } from '../../../components/ui/chip.tsx';
import { FactLine, FactLines } from '../../../components/ui/fact-lines.tsx';
import { RailSection } from '../../../components/ui/object-page.tsx';
import { cyclesExact, cyclesInUnit } from '../../../lib/text/cycles.ts';
import { freezingText, SOON_DAYS } from '../status/freezing-text.ts';

function Amount({ cycles, suffix = '' }: { cycles: string; suffix?: string }) {
  return (
    <span title={`${cyclesExact(cycles)} cycles`}>
      {cyclesInUnit(cycles)}
      {suffix}
    </span>
  );
}

/** What a canister costs by just being there, and how long its cycles last for that. */
export function RunningCosts({ details }: { details: CanisterDetails }) {
  const { days_until_freezing: days, frozen } = details;
  const soon = frozen || (days !== null && days < SOON_DAYS);
  return (
    <RailSection title="Running costs">
      <FactLines>
        <FactLine label="Idle burn">
          <Amount cycles={details.idle_cycles_burned_per_day} suffix=" /day" />
        </FactLine>
        <FactLine label="Freezes in">
          {soon ? (
            <Chip tone="warn">{freezingText(days, frozen)}</Chip>
          ) : (
            <span>{freezingText(days, frozen)}</span>
          )}
        </FactLine>
        <FactLine label="Freezing limit">
          <Amount cycles={details.freezing_limit} />
        </FactLine>
        <FactLine label="Reserved for storage">
          <Amount cycles={details.reserved_cycles} />
        </FactLine>
      </FactLines>
    </RailSection>
  );
}
