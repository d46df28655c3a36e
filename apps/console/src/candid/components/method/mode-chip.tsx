import type { MethodMode } from '@cannery/candid';
import { Chip, type Tone } from '../../../components/ui/chip.tsx';

const LOOKS: Readonly<Record<MethodMode, { readonly tone: Tone; readonly label: string }>> = {
  query: { tone: 'info', label: 'query' },
  composite_query: { tone: 'info', label: 'composite query' },
  update: { tone: 'warn', label: 'update' },
  oneway: { tone: 'neutral', label: 'oneway' },
};

/** How a method is called, as a chip. */
export function ModeChip({ mode }: { mode: MethodMode }) {
  const { tone, label } = LOOKS[mode];
  return <Chip tone={tone}>{label}</Chip>;
}
