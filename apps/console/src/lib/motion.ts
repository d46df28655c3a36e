/** Milliseconds of the entrance of pages and cards; the style sheet's --motion is the same, and a test holds them together. */
export const ANIMATION_MS = 1000;
