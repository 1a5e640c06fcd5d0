/** Leaves the algorithms for encryption out of `jose` in a classic script: the SDK imports keys for signatures only. */
import type { Plugin } from 'vite'

/** Looks an algorithm up in the table for signatures, then in the one for encryption. */
const LOOKUP = 'JWS[alg] ?? JWE[alg]'

/** Removes the second table, which nothing else uses. @throws Error if `jose` has changed. */
export function withoutEncryption(): Plugin {
  return {
    name: 'without-encryption',
    transform: {
      filter: { id: /\/jose\/dist\/webapi\/lib\/key_algorithm\.js$/ },
      handler(code) {
        if (!code.includes(LOOKUP)) throw new Error('jose looks algorithms up in another way.')
        return { code: code.replace(LOOKUP, 'JWS[alg]'), map: null }
      },
    },
  }
}
