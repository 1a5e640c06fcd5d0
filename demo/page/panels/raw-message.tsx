/** One request and its response as text. Secrets are masked until they are revealed. */
import { rawRequest, rawResponse } from '../exchange/raw-text'
import { type Exchange, hasSecrets, title } from '../exchange/exchange'
import { CopyButton } from 'kit/copy-button'
import { useRevealAll } from '../ui/use-reveal-all'

export function RawMessage({ exchange }: { exchange: Exchange }) {
  const { isRevealed, button } = useRevealAll(`the text of ${title(exchange)}`)
  const textOf = (options: { reveal: boolean }) =>
    [rawRequest(exchange, options), rawResponse(exchange, options)].filter(Boolean).join('\n\n')
  return (
    <section class="raw-message" aria-label={`Text of ${title(exchange)}`}>
      <div class="buttons">
        {hasSecrets(exchange) && button}
        <CopyButton what={`the text of ${title(exchange)}, without secrets`} text={() => textOf({ reveal: false })} />
      </div>
      <pre class="raw" tabindex={0} role="region" aria-label={title(exchange)}>
        {textOf({ reveal: isRevealed })}
      </pre>
    </section>
  )
}
