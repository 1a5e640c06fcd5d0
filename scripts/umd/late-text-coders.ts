/** Creates the text coders of `jose` when they are used: Jest with jsdom has none, and must be able to load the script. */
import type { Plugin } from 'vite'

const CODERS = 'encoder = new TextEncoder(), decoder = new TextDecoder(), strictDecoder = new TextDecoder("utf-8", { fatal: !0 })'
const LATE =
  'encoder = { encode: (text) => new TextEncoder().encode(text) }, decoder = { decode: (bytes) => new TextDecoder().decode(bytes) }, ' +
  'strictDecoder = { decode: (bytes) => new TextDecoder("utf-8", { fatal: !0 }).decode(bytes) }'

/** @throws Error if `jose` has changed. */
export function lateTextCoders(): Plugin {
  return {
    name: 'late-text-coders',
    transform: {
      filter: { id: /\/jose\/dist\/webapi\/lib\/buffer_utils\.js$/ },
      handler(code) {
        if (!code.includes(CODERS)) throw new Error('jose creates its text coders in another way.')
        return { code: code.replace(CODERS, LATE), map: null }
      },
    },
  }
}
