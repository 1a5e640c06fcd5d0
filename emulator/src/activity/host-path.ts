/** Path of the host page on its origin; all other paths may be the game's. */
export const HOST_PATH = '/_activity/'
