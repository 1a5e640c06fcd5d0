/** ID token of a response, decoded: each claim with its check. A refused token is decoded too. */
import type { Check } from 'foyer-sdk'
import { DecodedToken } from 'kit/decoded-token'
import { useDemo } from '../context/use-demo'
import { decodeToken } from '../exchanges/decode-token'
import type { Exchange } from '../exchanges/exchange'

const NAME = 'ID token'

/** Returns undefined if the response has none, or if it was not kept. */
export function idTokenOf({ response }: Exchange): string | undefined {
  const found = response?.body.find(({ name, isLeftOut }) => name === 'id_token' && isLeftOut !== true)
  return found?.value
}

/** True if the response had one that was not kept. */
export function hasLeftOutToken({ response }: Exchange): boolean {
  return response?.body.some(({ name, isLeftOut }) => name === 'id_token' && isLeftOut === true) ?? false
}

/** Returns a function that finds the result of a check by its name. */
const resultsOf = (checks: readonly Check[]) => (name: string) =>
  checks.find(({ check }) => check === name)?.result

interface KeptProps {
  /** As texts, which is how a run keeps them. */
  claims: readonly (readonly [name: string, text: string])[]
  checks: readonly Check[]
}

/** Claims of a token that itself was not kept, without the nonce. */
export function KeptClaims({ claims, checks }: KeptProps) {
  const { sessionLog } = useDemo()
  const values = claims.map(([name, text]) => [name, /^\d{1,13}$/.test(text) ? Number(text) : text] as const)
  return (
    <DecodedToken
      name={NAME}
      claims={Object.fromEntries(values)}
      resultOf={resultsOf(checks)}
      note="Its claims were kept, the token was not."
      now={sessionLog.now()}
    />
  )
}

export function ExchangeToken({ exchange, isRevealed }: { exchange: Exchange; isRevealed: boolean }) {
  const { sessionLog } = useDemo()
  const token = idTokenOf(exchange) ?? ''
  const decoded = decodeToken(token)
  if (!decoded) return <p class="fault">The ID token cannot be decoded: it is no JSON Web Token.</p>
  const absent = exchange.checks
    .filter(({ check, result }) => result === 'absent' && !(check in decoded.claims))
    .map(({ check }) => check)
  return (
    <DecodedToken
      name={NAME}
      encoded={isRevealed ? token : undefined}
      header={decoded.header}
      claims={decoded.claims}
      resultOf={resultsOf(exchange.checks)}
      note={absent.length > 0 ? `Absent: ${absent.join(', ')}` : undefined}
      now={sessionLog.now()}
    />
  )
}
