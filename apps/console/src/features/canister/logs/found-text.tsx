import { Fragment } from 'react';

/** A text with every place marked that matches a search, whatever its case. */
export function FoundText({ text, search }: { text: string; search: string }) {
  if (search === '') return text;
  const parts: { text: string; found: boolean; at: number }[] = [];
  const lower = text.toLowerCase();
  const wanted = search.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    parts.push({ text: text.slice(from, at), found: false, at: from });
    from = at + wanted.length;
    parts.push({ text: text.slice(at, from), found: true, at });
  }
  parts.push({ text: text.slice(from), found: false, at: from });
  return parts.map((part) =>
    part.found ? (
      <mark key={part.at} className="rounded-xs bg-(--ansi-yellow) text-log">
        {part.text}
      </mark>
    ) : (
      <Fragment key={`-${part.at}`}>{part.text}</Fragment>
    ),
  );
}
