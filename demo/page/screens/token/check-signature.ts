/** Checks the signature of a token with published keys, and says with which one. */
import { compactVerify, errors, importJWK, type JWK } from 'jose'

/** `valid` only after a signature was verified; `unchecked` if none could be. */
export interface SignatureCheck {
  readonly result: 'valid' | 'invalid' | 'unchecked'
  /** Sentence for people. */
  readonly words: string
}

/** Keys to check with. */
export interface KeySet {
  /** Completes `the keys …`: where they come from. */
  readonly origin: string
  /** JSON of a key, or of a set of keys. */
  readonly text: string
}

/** Type of the keys of each algorithm. */
const KEY_TYPES: readonly (readonly [algorithms: RegExp, type: string])[] = [
  [/^(RS|PS)(256|384|512)$/, 'RSA'],
  [/^ES(256|384|512)$/, 'EC'],
  [/^(EdDSA|Ed25519)$/, 'OKP'],
]
/** Maximum number of keys that are tried. */
const MAX_KEYS = 50

const unchecked = (why: string): SignatureCheck => ({ result: 'unchecked', words: `Not checked: ${why}` })

/** Returns the reason why the header alone rules out a check; undefined if a key may fit. */
export function refusedAlgorithm({ alg }: Readonly<Record<string, unknown>>): SignatureCheck | undefined {
  if (typeof alg !== 'string') return unchecked('the header names no algorithm.')
  if (/^none$/i.test(alg))
    return { result: 'invalid', words: 'It has no signature (alg none): anybody can have written it.' }
  if (/^HS\d+$/.test(alg))
    return unchecked(`${alg} needs a secret that both sides share, and no secret belongs in a page.`)
  return typeOf(alg) === undefined ? unchecked('this page does not know its algorithm.') : undefined
}

/** @param header decoded from the token. */
export async function checkSignature(
  token: string,
  header: Readonly<Record<string, unknown>>,
  { origin, text }: KeySet,
): Promise<SignatureCheck> {
  const refused = refusedAlgorithm(header)
  if (refused) return refused
  const keys = readKeys(text)
  if (!keys) return unchecked(`the keys ${origin} are no JSON Web Keys.`)
  const { kid } = header
  const named = typeof kid === 'string' ? keys.filter((key) => key.kid === kid) : keys
  const type = typeOf(String(header['alg']))
  const fitting = named.filter(({ kty, use = 'sig' }) => kty === type && use === 'sig').slice(0, MAX_KEYS)
  if (fitting.length === 0)
    return unchecked(
      named.length === 0
        ? `the token names a key that is none of the ${keys.length} keys ${origin}.`
        : `the keys ${origin} are of another kind than its algorithm needs.`,
    )
  return tryEach(fitting, { token, alg: String(header['alg']), origin })
}

interface Tried {
  token: string
  alg: string
  origin: string
}

async function tryEach(keys: readonly JWK[], { token, alg, origin }: Tried): Promise<SignatureCheck> {
  for (const key of keys) {
    const found = await verify(token, key, alg)
    if (found === 'fits')
      return { result: 'valid', words: `Checked with ${alg} and the key ${nameOf(key)} ${origin}: it fits.` }
    if (found !== 'does not fit') return unchecked(found)
  }
  const [only, ...more] = keys
  const tried = more.length === 0 ? `the key ${nameOf(only)}` : `any of the ${keys.length} keys`
  return {
    result: 'invalid',
    words: `Checked with ${alg}: it does not fit ${tried} ${origin}. The token was changed, or somebody else made it.`,
  }
}

/** Resolves with the reason, if the key and the token do not allow a check. */
async function verify(token: string, key: JWK, alg: string): Promise<string> {
  try {
    await compactVerify(token, await importJWK({ ...key, key_ops: ['verify'] }, alg), { algorithms: [alg] })
    return 'fits'
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return 'does not fit'
    return error instanceof Error ? `${error.message}.` : 'the key cannot be used.'
  }
}

const nameOf = (key: JWK | undefined): string => (typeof key?.kid === 'string' ? key.kid : 'without a name')

const typeOf = (alg: string): string | undefined =>
  KEY_TYPES.find(([algorithms]) => algorithms.test(alg))?.[1]

/** Keys of a set, of a list, or a single one. */
function readKeys(text: string): readonly JWK[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const keys = isRecord(value) && Array.isArray(value['keys']) ? value['keys'] : [value].flat()
    const found = keys.filter(isKey)
    return found.length > 0 ? found : undefined
  } catch {
    return undefined
  }
}

function isKey(value: unknown): value is JWK {
  return isRecord(value) && typeof value['kty'] === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
