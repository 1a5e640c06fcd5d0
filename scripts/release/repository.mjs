/** URL of the public source repository, without a trailing slash: `https://host/owner/foyer`. Empty until it is published. */
export const REPOSITORY = ''
