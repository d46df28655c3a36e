import { MOST_STARS } from '@cannery/contract';
import { Star } from 'lucide-react';
import { type Ref, useId, useState } from 'react';
import { classNames } from '../../../lib/class-names.ts';

const STARS = Array.from({ length: MOST_STARS }, (_, place) => place + 1);

interface StarChoiceProps {
  /** What is chosen between, for those who do not see it. */
  readonly label: string;
  /** Null while nothing is chosen. */
  readonly value: number | null;
  readonly onChoose: (stars: number) => void;
  readonly disabled: boolean;
  readonly ref?: Ref<HTMLFieldSetElement>;
}

/** A rating as a group of radio buttons that look like stars: arrows go from one to the next. */
export function StarChoice({ label, value, onChoose, disabled, ref }: StarChoiceProps) {
  const name = useId();
  const [pointed, setPointed] = useState<number>();
  const filled = (disabled ? undefined : pointed) ?? value ?? 0;
  return (
    <fieldset
      ref={ref}
      disabled={disabled}
      onPointerLeave={() => setPointed(undefined)}
      className="-ml-1 flex disabled:opacity-60 max-sm:-ml-3"
    >
      <legend className="sr-only">{label}</legend>
      {STARS.map((stars) => (
        <label
          key={stars}
          title={starsText(stars)}
          // A finger points at nothing before it chooses.
          onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setPointed(stars)}
          className={classNames(
            'relative grid size-7 place-items-center rounded-control max-sm:size-11',
            'has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
            stars <= filled ? 'text-warn' : 'text-muted/70',
          )}
        >
          <input
            type="radio"
            name={name}
            value={stars}
            checked={stars === value}
            aria-label={starsText(stars)}
            onChange={() => onChoose(stars)}
            className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
          />
          <Star
            className={classNames('size-5', stars <= filled && 'fill-current')}
            strokeWidth={1.5}
            aria-hidden="true"
          />
        </label>
      ))}
    </fieldset>
  );
}

function starsText(stars: number): string {
  return stars === 1 ? '1 star' : `${stars} stars`;
}
