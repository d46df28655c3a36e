import { useEffect, useRef, useState } from 'react';
import { type DayButtonProps, DayPicker } from 'react-day-picker';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { classNames } from '../../../lib/class-names.ts';
import { type CalendarEvent, type EventColor, events, sampleToday } from './workspace-content.ts';

/** The day as a date of this browser's calendar. @param day YYYY-MM-DD */
function dateOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

/** YYYY-MM-DD of a date. */
function dayOf(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The events of a day. */
function eventsOn(events: readonly CalendarEvent[], day: string): readonly CalendarEvent[] {
  return events.filter(({ date }) => date === day);
}

const dots: Readonly<Record<EventColor, string>> = {
  accent: 'bg-accent',
  ok: 'bg-ok',
  warn: 'bg-warn',
  bad: 'bg-bad',
};

const written = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

function DayWithEvents({ day, modifiers, className, children, ...button }: DayButtonProps) {
  const here = eventsOn(events, dayOf(day.date));
  const element = useRef<HTMLButtonElement>(null);
  const reached = modifiers['focused'];
  // The grid tells by this which day the arrow keys have reached.
  useEffect(() => {
    if (reached) element.current?.focus();
  }, [reached]);
  return (
    <button
      {...button}
      ref={element}
      className={classNames(
        className,
        modifiers['selected'] ? 'bg-accent text-on-accent' : 'hover:bg-ink/6',
        modifiers['today'] && !modifiers['selected'] && 'font-semibold text-accent',
        modifiers['outside'] && 'text-muted',
      )}
    >
      {children}
      <span className="flex h-1.5 gap-0.5">
        {here.map(({ title, color }) => (
          <span
            key={title}
            className={classNames(
              'size-1.5 rounded-full',
              modifiers['selected'] ? 'bg-on-accent' : dots[color],
            )}
          />
        ))}
      </span>
    </button>
  );
}

/** What a screen reader says of a day. */
function dayLabel(date: Date): string {
  const titles = eventsOn(events, dayOf(date)).map(({ title }) => title);
  return [written.format(date), ...titles].join(', ');
}

const step =
  'grid size-9 place-items-center rounded-control text-lg text-muted hover:bg-ink/6 hover:text-ink max-sm:size-11';

const looks = {
  root: 'relative',
  months: 'relative',
  month_caption: 'flex h-9 items-center px-2 font-semibold max-sm:h-11',
  nav: 'absolute top-0 right-0 flex',
  button_previous: step,
  button_next: step,
  chevron: 'size-4 fill-current',
  month_grid: 'mt-2 w-full border-collapse',
  weekday: 'h-8 text-xs font-medium text-muted',
  day: 'p-0.5 text-center',
  day_button: 'flex h-11 w-full flex-col items-center justify-center gap-0.5 rounded-control',
};

function Event({ event }: { event: CalendarEvent }) {
  return (
    <li className="flex gap-3 border-t border-line px-5 py-3">
      <span className={classNames('w-1 shrink-0 rounded-full', dots[event.color])} data-color={event.color} />
      <div className="min-w-0">
        <p className="text-sm text-muted">
          <time dateTime={event.date}>{written.format(dateOf(event.date))}</time>
        </p>
        <a
          href={event.link}
          target="_blank"
          rel="noreferrer"
          className="font-medium underline underline-offset-2 hover:text-accent"
        >
          {event.title}
        </a>
        <p className="text-sm text-pretty text-muted">{event.info}</p>
      </div>
    </li>
  );
}

/** A month with its events: arrow keys go from day to day, a chosen day lists what happens on it. */
export function CalendarCard() {
  const [chosen, setChosen] = useState<Date | undefined>(dateOf(sampleToday));
  const listed = chosen === undefined ? events : eventsOn(events, dayOf(chosen));
  return (
    <Card aria-label="Calendar" className="animate-entrance pb-2">
      <CardHeader title="Calendar" note={`${events.length} events`} />
      <div className="grid md:grid-cols-2">
        <div className="px-4 pb-4">
          <DayPicker
            mode="single"
            selected={chosen}
            onSelect={setChosen}
            defaultMonth={dateOf(sampleToday)}
            today={dateOf(sampleToday)}
            weekStartsOn={1}
            showOutsideDays
            classNames={looks}
            labels={{ labelDayButton: dayLabel }}
            components={{ DayButton: DayWithEvents }}
          />
        </div>
        <div>
          <h3 className="px-5 pb-2 text-sm font-medium text-muted">
            {chosen === undefined ? 'All events' : written.format(chosen)}
          </h3>
          <ul aria-label="Events">
            {listed.map((event) => (
              <Event key={event.title} event={event} />
            ))}
          </ul>
          {listed.length === 0 && (
            <p className="border-t border-line px-5 py-3 text-sm text-muted">Nothing happens on this day.</p>
          )}
        </div>
      </div>
    </Card>
  );
}
