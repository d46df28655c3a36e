/** Agents keep connections open between polls; a shorter limit makes them hit closed sockets. */
export const KEEP_ALIVE_MILLIS = 65_000;
