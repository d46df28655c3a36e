const listeners = new Set<() => void>();

/** Opens the command palette from elsewhere. */
export const paletteDoor = {
  open(): void {
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
