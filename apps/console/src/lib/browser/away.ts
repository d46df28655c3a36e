/** Of a link to a site: whoever made it learns neither where the visitor came from, nor gets hold of the console's window. */
export const away = { target: '_blank', rel: 'noopener noreferrer' } as const;
