import type { CanisterDetails } from '@cannery/contract';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { FactLine, FactLines } from '../../../components/ui/fact-lines.tsx';
import { byteSize } from '../../../lib/text/byte-size.ts';

const number = (text: string): string => BigInt(text).toLocaleString('en-US');

/** How much a canister was queried, and how often it changed. */
export function UsageCard({ details }: { details: CanisterDetails }) {
  const { calls, instructions, request_bytes, response_bytes } = details.query_stats;
  return (
    <Card className="min-w-0">
      <CardHeader title="Usage" />
      <FactLines>
        <FactLine label="Query calls">{number(calls)}</FactLine>
        <FactLine label="Query instructions">{number(instructions)}</FactLine>
        <FactLine label="Query traffic">
          {byteSize(request_bytes)} in, {byteSize(response_bytes)} out
        </FactLine>
        <FactLine label="Version">
          <span title="Counts every change of the canister: of code, settings and running state, and by each message that ran">
            {number(details.version)}
          </span>
        </FactLine>
      </FactLines>
    </Card>
  );
}
