/** Words carry the meaning; the colour only helps. */
export function TypeColours() {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-ink">Ink: what is read first</p>
      <p className="text-muted">Muted: what explains it</p>
      <p className="text-accent">Accent: what can be followed</p>
      <p className="text-ok">Ok: running</p>
      <p className="text-warn">Warn: frozen soon</p>
      <p className="text-bad">Bad: failed</p>
    </div>
  );
}
