/** Check of a pasted token's signature, drawn when it is known. */
import { useEffect, useState } from 'preact/hooks'
import { checkSignature, refusedAlgorithm, type KeySet, type SignatureCheck } from './check-signature'

interface Asked {
  token: string
  header: Readonly<Record<string, unknown>>
  /** Keys that were pasted; undefined for those of the address. */
  pastedKeys: string | undefined
  /** Address of the chosen service's keys; undefined if none is chosen. */
  keysUrl: string | undefined
}

/** Maximum length of the keys, in characters. */
const MAX_KEYS = 200_000

/** Returns undefined until the check of exactly this token with exactly these keys has ended. */
export function useSignature({ token, header, pastedKeys, keysUrl }: Asked): SignatureCheck | undefined {
  const asked = JSON.stringify([token, pastedKeys, keysUrl])
  const [found, setFound] = useState<{ asked: string; check: SignatureCheck }>()
  useEffect(() => {
    const ended = new AbortController()
    const show = async () => {
      const result = await check({ token, header, pastedKeys, keysUrl }, ended.signal)
      if (!ended.signal.aborted) setFound({ asked, check: result })
    }
    void show()
    return () => ended.abort()
  }, [asked])
  return found?.asked === asked ? found.check : undefined
}

async function check({ token, header, ...source }: Asked, signal: AbortSignal): Promise<SignatureCheck> {
  const refused = refusedAlgorithm(header)
  if (refused) return refused
  const keys = await loadKeys(source, signal)
  return typeof keys === 'string'
    ? { result: 'unchecked', words: `Not checked: ${keys}` }
    : checkSignature(token, header, keys)
}

/** Resolves with the reason if there are none. An address that the token itself names is never asked. */
async function loadKeys(
  { pastedKeys, keysUrl }: Pick<Asked, 'pastedKeys' | 'keysUrl'>,
  signal: AbortSignal,
): Promise<KeySet | string> {
  if (pastedKeys !== undefined)
    return pastedKeys.trim() === ''
      ? 'paste the keys of its issuer.'
      : sized({ origin: 'that you pasted', text: pastedKeys })
  if (keysUrl === undefined) return 'no service is chosen. Choose one under Service, or paste its keys.'
  try {
    const response = await fetch(keysUrl, { signal, credentials: 'omit' })
    if (!response.ok) return `${keysUrl} answered with ${response.status}.`
    return sized({ origin: `of ${keysUrl}`, text: await response.text() })
  } catch {
    return `the keys at ${keysUrl} could not be fetched.`
  }
}

const sized = (keys: KeySet): KeySet | string =>
  keys.text.length > MAX_KEYS ? `the keys ${keys.origin} are too long.` : keys
