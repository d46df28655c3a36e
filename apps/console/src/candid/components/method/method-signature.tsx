import type { MethodMode } from '@cannery/candid';
import { Fragment } from 'react';
import { Chip, type Tone } from '../../../components/ui/chip.tsx';
import { beginningOf } from '../../shown-texts.ts';

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

/** Characters of a signature that are shown; the whole is in the interface as text. */
const LONGEST = 1_000;

/** A signature in Candid text; its arrows never break across lines. */
export function Signature({ text }: { text: string }) {
  return (
    <span className="font-mono text-xs break-words text-muted">
      {beginningOf(text, LONGEST)
        .split('->')
        .map((part, index) => (
          // The parts of one text never change places.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            {index > 0 && <span className="whitespace-nowrap">-&gt;</span>}
            {part}
          </Fragment>
        ))}
    </span>
  );
}
