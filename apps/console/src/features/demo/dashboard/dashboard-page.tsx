import { lazy, Suspense, type SyntheticEvent, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { usePageTitle } from '../../../lib/browser/use-page-title.ts';
import { CheckList } from '../check-list.tsx';
import { scenes } from '../pictures/gallery-scenes.ts';
import { ScenePicture } from '../pictures/scene-picture.tsx';
import { FoldersCard, StatusChart } from './dashboard-cards.tsx';
import { handle, news, orders, todos } from './dashboard-content.ts';

/** A button for what does not exist yet: its dialog says so, and where to hear of it. */
function UnderDevelopmentButton({ label }: { label: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="This feature is under development"
        description={
          <>
            Follow{' '}
            <a
              href={handle.href}
              target="_blank"
              rel="noreferrer"
              className="font-medium text-accent underline underline-offset-2"
            >
              {handle.name}
            </a>{' '}
            to hear when it is there.
          </>
        }
        footer={<Button onClick={() => setOpen(false)}>Close</Button>}
      />
    </>
  );
}

/** A sign-up form to look at: it enforces nothing and sends nothing. */
function SignUpCard() {
  const [tried, setTried] = useState(false);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setTried(true);
  };
  return (
    <Card aria-label="Sign up" className="animate-entrance">
      <CardHeader title="Sign up" note="a sample" />
      <form noValidate aria-label="Sign up" onSubmit={submit} className="flex flex-col gap-4 px-5 pb-5">
        <TextField label="Email" type="email" placeholder="you@example.org" />
        <TextField label="Password" type="password" placeholder="Min 8 characters" />
        <Button type="submit" variant="primary">
          Create account
        </Button>
        <p role="status" className="min-h-5 text-sm text-muted">
          {tried && 'This is a sample: nothing was checked and nothing was sent.'}
        </p>
      </form>
    </Card>
  );
}

const WorldMap = lazy(async () => ({ default: (await import('./world-map.tsx')).WorldMap }));

function NewsCard() {
  const [scene] = scenes;
  return (
    <Card aria-label="News" className="animate-entrance overflow-hidden">
      {scene && <ScenePicture scene={scene} seed={1} decoration className="block h-40 w-full" />}
      <div className="px-5 py-4">
        <p className="text-sm text-muted">News, {news.date}</p>
        <h2 className="mt-0.5 text-lg font-semibold">{news.title}</h2>
        <p className="mt-1 text-sm text-pretty text-muted">{news.text}</p>
      </div>
    </Card>
  );
}

function MapCard() {
  return (
    <Card aria-label="Orders by country" className="animate-entrance">
      <CardHeader title="Orders by country" note="in a year" />
      <div className="grid items-center gap-5 px-5 pb-5 lg:grid-cols-[1fr_14rem]">
        <div className="aspect-[720/372]">
          <Suspense fallback={<Skeleton className="h-full w-full" />}>
            <WorldMap />
          </Suspense>
        </div>
        <ul aria-label="Orders" className="flex flex-col">
          {orders.map(({ country, count }) => (
            <li key={country} className="flex justify-between border-t border-line py-1.5 first:border-0">
              <span>{country}</span>
              <span className="font-medium">{count}</span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

function GalleryCard() {
  return (
    <Card aria-label="Gallery" className="animate-entrance">
      <CardHeader title="Gallery" note={scenes.length} />
      <ul className="grid grid-cols-2 gap-3 px-5 pb-5 sm:grid-cols-3 lg:grid-cols-4">
        {scenes.map((scene, place) => (
          <li key={scene.title}>
            <figure>
              <ScenePicture scene={scene} seed={place + 1} className="w-full rounded-card" />
              <figcaption className="mt-1 text-sm text-muted">{scene.title}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The template dashboard: cards with sample content, which nobody counts. */
export function DashboardPage() {
  usePageTitle('Sample dashboard');
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl font-semibold">Sample dashboard</h1>
        <UnderDevelopmentButton label="Export report" />
      </div>
      <div className="grid items-start gap-5 lg:grid-cols-3">
        <div className="flex min-w-0 flex-col gap-5 lg:col-span-2">
          <FoldersCard />
          <MapCard />
          <GalleryCard />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Card aria-label="Jobs by status" className="animate-entrance">
            <CardHeader title="Jobs by status" />
            <StatusChart />
          </Card>
          <Card aria-label="Todo" className="animate-entrance pb-2">
            <CardHeader title="Todo" note={todos.length} />
            <CheckList label="Todo items" items={todos} />
          </Card>
          <NewsCard />
          <SignUpCard />
        </div>
      </div>
    </>
  );
}
