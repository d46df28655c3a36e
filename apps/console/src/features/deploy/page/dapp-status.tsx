import { Chip } from '../../../components/ui/chip.tsx';

/** A deploy's state in lists: words for what is known, a spinner for everything else. */
export function DappStatus({ status }: { status: string | null | undefined }) {
  if (status === 'COMPLETED') return <Chip tone="ok">deploy succeeded</Chip>;
  if (status === 'FAILED') return <Chip tone="bad">failed</Chip>;
  if (status === 'RUNNING') {
    return (
      <Chip tone="info" busy>
        creating DApp
      </Chip>
    );
  }
  return <Chip tone="neutral" busy />;
}
