/** Types of the files that a player may be asked for, in forms and in options of commands. */

/** One entry of `file_types`: a pattern, and its meaning in words. */
export const FILE_TYPE = {
  pattern: /^(?:image|video|audio|\.[\w.+-]{1,30})$/i,
  expected: 'image, video, audio or an extension with its dot',
} as const

/** Maximum number of entries. */
export const FILE_TYPES = 10
