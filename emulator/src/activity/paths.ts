/** Where the host page is, under its own origin; everything else there may be the game's. */
export const hostPath = '/_activity/'
