/** Decoded ID token: each claim with its value and meaning. */
import type { TokenSet } from 'foyer-sdk'
import { decodeToken, inOrder } from '../exchanges/decode-token'
import { ClaimTable } from './claim-table'

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
      <ClaimTable caption="Claims" values={inOrder({ ...claims })} now={now} />
      <ClaimTable caption="Header" values={decodeToken(idToken.reveal())?.header ?? {}} now={now} />
    </details>
  )
}
