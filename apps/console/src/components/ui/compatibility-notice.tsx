import type { Compatibility } from '@cannery/contract';
import { Fragment } from 'react';
import { Notice } from './notice.tsx';

/** A sentence in which names of code stand between back-ticks. */
function Reason({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      // The parts of a sentence are a fixed list.
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <code key={index} className="font-mono text-[12px]">
        {part}
      </code>
    ),
  );
}

interface CompatibilityNoticeProps {
  readonly compatibility: Compatibility;
  /** What was compared, and what each verdict means for it. */
  readonly texts: { readonly compatible: string; readonly breaking: string; readonly unknown: string };
}

/** A verdict of comparing a module with the installed one, with its reasons. */
export function CompatibilityNotice({ compatibility, texts }: CompatibilityNoticeProps) {
  switch (compatibility.verdict) {
    case 'compatible':
      return <Notice tone="ok" title={texts.compatible} />;
    case 'unknown':
      return (
        <Notice tone="info" title={texts.unknown}>
          <p className="wrap-anywhere text-muted">
            <Reason text={compatibility.reason} />
          </p>
        </Notice>
      );
    case 'breaking':
      return (
        <Notice tone="bad" title={texts.breaking}>
          <ul className="mt-1 list-disc pl-4">
            {compatibility.reasons.map((reason) => (
              <li key={reason} className="wrap-anywhere">
                <Reason text={reason} />
              </li>
            ))}
          </ul>
        </Notice>
      );
  }
}
