import { newest } from 'virtual:guide/news';
import { Listeners } from '../../lib/browser/store.ts';

const KEY = 'news-read';
const listeners = new Listeners();

/** Whether the chapter of what is new has something that was not read in this browser. */
export const news = {
  get: (): boolean => localStorage.getItem(KEY) !== newest,
  read(): void {
    localStorage.setItem(KEY, newest);
    listeners.tell();
  },
  subscribe: listeners.subscribe,
};
