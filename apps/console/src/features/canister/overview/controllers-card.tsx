import type { CanisterDetails } from '@cannery/contract';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { PRODUCT_NAME } from '../../../config/env.ts';

/** Who may change a canister. */
export function ControllersCard({ details }: { details: CanisterDetails }) {
  const { controllers } = details.settings;
  return (
    <Card className="min-w-0">
      <CardHeader title="Controllers" note={controllers.length} />
      <ul className="flex flex-col gap-2 px-5 pb-5">
        {controllers.map((controller) => (
          <li key={controller} className="flex flex-wrap items-center gap-x-2">
            <IdText id={controller} of="controller" />
            {controller === details.console_principal && <Chip tone="info">{PRODUCT_NAME}</Chip>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
