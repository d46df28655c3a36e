import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { usePageTitle } from '../../../lib/browser/use-page-title.ts';
import { scenes } from '../pictures/gallery-scenes.ts';
import { ScenePicture } from '../pictures/scene-picture.tsx';

/** Whom the sample profile shows: nobody. */
const person = {
  name: 'Mira Kovač',
  username: 'mira.preserves',
  location: 'Ljubljana, Slovenia',
  about:
    'Turns orchards into shelves. Draws labels, keeps bees, and writes down how long everything has to simmer.',
  tags: ['Preserves', 'Labels', 'Orchards', 'Small batches', 'Honey'],
  facts: [
    ['Followers', '2,418'],
    ['Recipes', '136'],
    ['Awards', '7'],
  ],
} as const;

/** Where such a person would be found; the start pages of the networks, since nobody has these accounts. */
const socialLinks = [
  { label: 'GitHub', href: 'https://github.com/' },
  { label: 'Mastodon', href: 'https://joinmastodon.org/' },
  { label: 'LinkedIn', href: 'https://www.linkedin.com/' },
] as const;

const milestones = [
  { year: '2026', text: 'Opened a workshop with a glass wall, so that everybody sees the copper pots.' },
  { year: '2024', text: 'Sold the thousandth jar of lime blossom honey.' },
  { year: '2021', text: 'Filled the first can: peaches, in light syrup.' },
] as const;

const [, cover] = scenes;

function ProfileCard() {
  const { name, username, location, about, tags, facts } = person;
  return (
    <Card aria-label="Profile card" className="animate-entrance overflow-hidden">
      {cover && <ScenePicture scene={cover} seed={6} decoration className="block h-36 w-full" />}
      <div className="flex flex-col gap-5 px-5 pb-5">
        <div className="-mt-12 flex flex-wrap items-end gap-x-5 gap-y-3">
          <Portrait name={name} className="size-24 rounded-full border-4 border-surface" />
          <div className="min-w-0 flex-1 basis-56">
            <h2 className="flex flex-wrap items-center gap-2 text-xl font-semibold">
              {name}
              <span className="rounded-full bg-accent px-2 py-0.5 text-xs font-semibold tracking-wide text-on-accent">
                PRO
              </span>
            </h2>
            <p className="text-muted">
              @{username} <span aria-hidden="true">·</span> {location}
            </p>
          </div>
          <ul aria-label="Social links" className="flex flex-wrap gap-2">
            {socialLinks.map(({ label, href }) => (
              <li key={label}>
                <a
                  href={href}
                  target="_blank"
                  rel="noreferrer"
                  className="flex h-8 items-center rounded-control border border-control/60 px-3 text-sm font-medium hover:border-control hover:bg-sunken max-sm:h-11"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
        <p className="max-w-[640px] text-pretty">{about}</p>
        <ul aria-label="Tags" className="flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li key={tag} className="rounded-full bg-sunken px-2.5 py-0.5 text-sm text-muted">
              {tag}
            </li>
          ))}
        </ul>
        <dl className="grid grid-cols-3 border-t border-line pt-4">
          {facts.map(([label, value]) => (
            <div key={label} className="flex flex-col-reverse">
              <dt className="text-sm text-muted">{label}</dt>
              <dd className="text-xl font-semibold">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  );
}

/** A profile with sample content: the card of a person. */
export function ProfilePage() {
  usePageTitle('Profile');
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">Profile</h1>
      <div className="grid items-start gap-5 lg:grid-cols-3">
        <div className="lg:col-span-2">
          <ProfileCard />
        </div>
        <Card className="animate-entrance pb-2">
          <CardHeader title="Milestones" />
          <ol>
            {milestones.map(({ year, text }) => (
              <li key={year} className="flex gap-4 border-t border-line px-5 py-3.5">
                <span className="font-mono text-sm text-muted">{year}</span>
                <p className="text-sm text-pretty">{text}</p>
              </li>
            ))}
          </ol>
        </Card>
      </div>
    </>
  );
}

/** A drawn face: nobody's. */
function Portrait({ name, className }: { name: string; className?: string }) {
  return (
    <svg viewBox="0 0 96 96" role="img" aria-label={`Portrait of ${name}`} className={className}>
      <circle cx="48" cy="48" r="48" fill="#f3d9b1" />
      <path d="M14 82a36 30 0 0 1 68 0 48 48 0 0 1-68 0z" fill="#2f5bea" />
      <path d="M39 60h18v12a9 9 0 0 1-18 0z" fill="#c98d63" />
      <path d="M24 44c0-32 48-32 48 0v22H62V40H34v26H24z" fill="#3b2a24" />
      <ellipse cx="48" cy="45" rx="17" ry="20" fill="#dba377" />
      <path d="M30 42c2-16 32-18 36 0-12 0-20-3-25-8-1 4-5 7-11 8z" fill="#3b2a24" />
      <circle cx="41.5" cy="46" r="2" fill="#2b2320" />
      <circle cx="54.5" cy="46" r="2" fill="#2b2320" />
      <path d="M42 55q6 5 12 0" fill="none" stroke="#8c4a34" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
