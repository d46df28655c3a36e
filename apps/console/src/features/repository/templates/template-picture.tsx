import type { Template } from '@cannery/contract';

function Page() {
  return (
    <>
      <rect x="44" y="18" width="152" height="104" rx="7" className="fill-surface stroke-control/60" />
      <path d="M44 34h152" className="stroke-control/60" />
      <circle cx="53" cy="26" r="2.2" className="fill-bad/60" />
      <circle cx="60.500" cy="26" r="2.200" className="fill-warn/60" />
      <circle cx="68" cy="26" r="2.200" className="fill-ok/60" />
      <rect x="80" y="23" width="80" height="6" rx="3" className="fill-ink/8" />
      <path d="M45 66c16-10 26-10 38 0s24 10 38 0 24-10 38 0 22 10 36 2V35H45Z" className="fill-accent/25" />
      <path
        d="M45 74c16-10 26-10 38 0s24 10 38 0 24-10 38 0 22 10 36 2"
        fill="none"
        className="stroke-accent"
        strokeWidth="2"
      />
      <rect x="62" y="44" width="56" height="7" rx="3.500" className="fill-ink/70" />
      <rect x="62" y="55" width="36" height="4" rx="2" className="fill-ink/35" />
      {[62, 104, 146].map((x) => (
        <g key={x}>
          <rect x={x} y="88" width="32" height="22" rx="3" className="fill-ink/6" />
          <rect x={x + 5} y="94" width="22" height="3" rx="1.500" className="fill-ink/35" />
          <rect x={x + 5} y="100" width="15" height="3" rx="1.500" className="fill-ink/20" />
        </g>
      ))}
    </>
  );
}

function Counter() {
  return (
    <g transform="translate(0 -10)">
      <rect x="30" y="22" width="104" height="96" rx="7" className="fill-surface stroke-control/60" />
      {[
        [40, 34, 30, 'fill-accent'],
        [74, 34, 40, 'fill-ink/35'],
        [48, 48, 24, 'fill-accent/60'],
        [76, 48, 34, 'fill-ink/20'],
        [48, 62, 40, 'fill-ink/20'],
        [56, 76, 46, 'fill-ok/60'],
        [48, 90, 18, 'fill-ink/20'],
        [40, 104, 10, 'fill-ink/35'],
      ].map(([x, y, width, fill]) => (
        <rect key={y + `${x}`} x={x} y={y} width={width} height="5" rx="2.500" className={`${fill}`} />
      ))}
      <path d="M138 70h20m-6-6 6 6-6 6" fill="none" className="stroke-accent" strokeWidth="2" />
      <path d="M166 48v44c0 6 44 6 44 0V48" className="fill-surface stroke-accent" strokeWidth="2" />
      <ellipse cx="188" cy="48" rx="22" ry="6" className="fill-accent/25 stroke-accent" strokeWidth="2" />
      <text x="188" y="80" textAnchor="middle" className="fill-ink text-xl font-semibold">
        +1
      </text>
    </g>
  );
}

/** What a template becomes, drawn: a page in a browser, or code that counts in a can. */
export function TemplatePicture({ template }: { template: Pick<Template, 'deploy_type'> }) {
  return (
    <svg
      viewBox="0 0 240 140"
      fill="none"
      aria-hidden="true"
      className="block aspect-[12/5] w-full bg-sunken"
      preserveAspectRatio="xMidYMin slice"
    >
      {template.deploy_type === 'STATIC_SITE' ? <Page /> : <Counter />}
    </svg>
  );
}
