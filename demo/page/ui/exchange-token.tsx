/** ID token of a response, decoded: each claim with its check. A refused token is decoded too. */
import type { Check } from 'foyer-sdk'
import type { ComponentChildren } from 'preact'
import { decodeToken } from '../exchanges/decode-token'
import type { Exchange } from '../exchanges/exchange'
import { useDemo } from '../context/use-demo'
import { EncodedToken } from 'kit/encoded-token'
import { Icon } from 'kit/icon'
import { ClaimValue } from './id-token-tables'

const MARKS = { passed: 'check', absent: 'dot', failed: 'cross' } as const

/** Returns undefined if the response has none, or if it was not kept. */
export function idTokenOf({ response }: Exchange): string | undefined {
  const found = response?.body.find(({ name, isLeftOut }) => name === 'id_token' && isLeftOut !== true)
  return found?.value
}

/** True if the response had one that was not kept. */
export function hasLeftOutToken({ response }: Exchange): boolean {
  return response?.body.some(({ name, isLeftOut }) => name === 'id_token' && isLeftOut === true) ?? false
}

interface KeptProps {
  /** As texts, which is how a run keeps them. */
  claims: readonly (readonly [name: string, text: string])[]
  checks: readonly Check[]
}

/** Claims of a token that itself was not kept, without the nonce. */
export function KeptClaims({ claims, checks }: KeptProps) {
  const { sessionLog } = useDemo()
  return (
    <>
      <h3>ID token</h3>
      <p class="claim-absent">Its claims were kept, the token was not.</p>
      <ClaimRows>
        {claims.map(([name, text]) => (
          <Row
            name={name}
            value={/^\d{1,13}$/.test(text) ? Number(text) : text}
            check={checks.find(({ check }) => check === name)}
            now={sessionLog.now()}
            key={name}
          />
        ))}
      </ClaimRows>
    </>
  )
}

function ClaimRows({ children }: { children: ComponentChildren }) {
  return (
    <table class="fields claims" aria-label="Claims of the ID token">
      <tbody>{children}</tbody>
    </table>
  )
}

export function ExchangeToken({ exchange, isRevealed }: { exchange: Exchange; isRevealed: boolean }) {
  const { sessionLog } = useDemo()
  const token = idTokenOf(exchange) ?? ''
  const decoded = decodeToken(token)
  if (!decoded) return <p class="fault">The ID token cannot be decoded: it is no JSON Web Token.</p>
  const checkOf = (name: string) => exchange.checks.find(({ check }) => check === name)
  const absent = exchange.checks.filter(
    ({ check, result }) => result === 'absent' && !(check in decoded.claims),
  )
  return (
    <>
      <h3>ID token</h3>
      {absent.length > 0 && (
        <p class="claim-absent">{`Absent: ${absent.map(({ check }) => check).join(', ')}`}</p>
      )}
      {isRevealed && (
        <p>
          <EncodedToken token={token} />
        </p>
      )}
      <ClaimRows>
        {Object.entries(decoded.header).map(([name, value]) => (
          <Row
            name={name}
            value={value}
            check={checkOf(`header.${name}`)}
            now={sessionLog.now()}
            key={name}
          />
        ))}
        {Object.entries(decoded.claims).map(([name, value]) => (
          <Row name={name} value={value} check={checkOf(name)} now={sessionLog.now()} key={name} />
        ))}
      </ClaimRows>
    </>
  )
}

interface RowProps {
  name: string
  value: unknown
  check: Check | undefined
  /** Epoch ms. */
  now: number
}

function Row({ name, value, check, now }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {name}
        {check && (
          <span class={`check-${check.result}`}>
            <Icon name={MARKS[check.result]} />
            <span class="visually-hidden">{check.result}</span>
          </span>
        )}
      </th>
      <td>
        <ClaimValue name={name} value={value} now={now} />
      </td>
    </tr>
  )
}
