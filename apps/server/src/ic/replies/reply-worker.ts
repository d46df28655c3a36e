import { CandidError } from '@cannery/candid';
import { serveRequests } from '../../thread/serve-requests.ts';
import { itemsOf } from './reply-kinds.ts';
import type { ReplyQuestion } from './read-reply.ts';

/** Items that are handed over at a time: taking them in keeps the thread that serves for a millisecond or two. */
const HANDED_OVER = 100;

serveRequests<ReplyQuestion>(
  ({ kind, reply, limits }, note) => {
    const items = itemsOf(kind, reply, limits);
    for (let from = 0; from < items.length; from += HANDED_OVER) note(items.slice(from, from + HANDED_OVER));
  },
  [CandidError],
);
