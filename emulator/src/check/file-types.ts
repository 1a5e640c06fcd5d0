/** Types of files that a player may choose, in forms and in options of commands. */
import { problem } from './problems.js'
import { list, pattern } from './schema.js'

const BAD_FILE_TYPE = problem(
  'FILE_TYPE_INVALID',
  'Not a file type.',
  'must be image, video, audio or an extension with its dot',
)

export const fileTypes = list(pattern(/^(image|video|audio|\.[\w.+-]{1,30})$/i, BAD_FILE_TYPE), { most: 10 })
