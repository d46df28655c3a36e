import { Listeners } from '../../../lib/browser/store.ts';

/** Tells the command palette to open; whoever is elsewhere on the page may. */
export const paletteDoor = new Listeners();
