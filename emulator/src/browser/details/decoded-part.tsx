/** Part of the details that decodes the tokens of a request. */
import type { ShownToken } from '../../exchanges/exchange-view.js'
import { Copied } from './message-parts.js'
import { expiryWords } from './time-words.js'

/** @param now epoch milliseconds of the emulator's clock. */
export function DecodedPart({ tokens, now }: { tokens: ShownToken[]; now: number }) {
  if (tokens.length === 0) return <p class="empty">This request has no token with readable parts (JSON Web Token).</p>
  return (
    <>
      {tokens.map((token, index) => (
        <Token key={index} token={token} now={now} />
      ))}
    </>
  )
}

function Token({ token: { name, encoded, header, claims, expiresAt }, now }: { token: ShownToken; now: number }) {
  return (
    <section aria-label={name}>
      <h4>
        {name} {expiresAt !== undefined && <span class="quiet">{expiryWords(expiresAt, now)}</span>}
      </h4>
      <div class="decoded">
        <Copied head={<span>Encoded</span>} what={`${name}, encoded`}>
          {encoded}
        </Copied>
        <div>
          <Copied head={<span>Header</span>} what={`the header of ${name}`}>
            {header}
          </Copied>
          <Copied head={<span>Claims</span>} what={`the claims of ${name}`}>
            {claims}
          </Copied>
        </div>
      </div>
    </section>
  )
}
