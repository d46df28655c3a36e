/** uid and gid of all builds before each had one, where the server is root: no distribution gives it to anybody. */
export const BUILD_UID = 61_970;
