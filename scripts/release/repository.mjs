/** Where the source can be read, without a slash at its end: `https://host/owner/foyer`. Empty until there is such a place. */
export const REPOSITORY = ''
