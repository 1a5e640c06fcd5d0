/** Decoded ID token: each claim with its value and meaning. */
import type { TokenSet } from 'foyer-sdk'
import { ClaimValue } from 'kit/claim-value'
import { decodeToken, inOrder } from '../exchanges/decode-token'
import { claimLabel } from '../game/step-labels'

interface Props {
  tokens: TokenSet
  /** Epoch ms; relative times refer to it. */
  now: number
}

/** Decodes the header for display only. The SDK has verified the claims. */
export function IdTokenTables({ tokens: { idToken, claims }, now }: Props) {
  if (!idToken || !claims) return <p class="empty">The service sent no ID token.</p>
  return (
    <details class="id-token" open>
      <summary>
        <h3>ID token</h3>
      </summary>
      <ClaimTable caption="Claims" entries={Object.entries(inOrder({ ...claims }))} now={now} />
      <ClaimTable
        caption="Header"
        entries={Object.entries(decodeToken(idToken.reveal())?.header ?? {})}
        now={now}
      />
    </details>
  )
}

interface TableProps {
  caption: string
  entries: readonly (readonly [name: string, value: unknown])[]
  now: number
}

function ClaimTable({ caption, entries, now }: TableProps) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td class="claim">
              <ClaimValue name={name} value={value} now={now} />
            </td>
            <td class="meaning">{claimLabel(name)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
