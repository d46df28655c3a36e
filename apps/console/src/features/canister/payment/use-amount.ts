import { readTopUp, type TopUpReading } from '@cannery/contract';
import { useState } from 'react';
import { amountReason, isUnfinished } from './amount-doubt.ts';

/** An amount while it is typed. */
interface TypedAmount {
  readonly text: string;
  /** The amount, once what is typed is one. */
  readonly amount: Extract<TopUpReading, { cycles: bigint }> | undefined;
  /** The specified text for what is wrong, once it can be told that something is. */
  readonly error: string | undefined;
  /** Why it is, with the next step. */
  readonly reason: string | undefined;
  readonly type: (text: string) => void;
  /** The field was left with what it says: nothing more is typed then. */
  readonly leave: () => void;
  /** The amount is asked for: from now on everything that is none is wrong. */
  readonly demand: () => void;
  readonly reset: () => void;
}

/** Says what is wrong with an amount while it is typed, and not before it can be wrong. @param start in T */
export function useAmount(start: string): TypedAmount {
  const [text, setText] = useState(start);
  const [demanded, setDemanded] = useState(false);
  const [left, setLeft] = useState(false);
  const reading = readTopUp(text);
  const amount = 'cycles' in reading ? reading : undefined;
  const isWrong = !('cycles' in reading) && (demanded || (left && text.trim() !== '') || !isUnfinished(text));
  return {
    text,
    amount,
    error: isWrong ? reading.error : undefined,
    reason: isWrong ? amountReason(text, reading) : undefined,
    type: (next) => {
      setText(next);
      setLeft(false);
    },
    leave: () => setLeft(true),
    demand: () => setDemanded(true),
    reset: () => {
      setText(start);
      setDemanded(false);
      setLeft(false);
    },
  };
}
