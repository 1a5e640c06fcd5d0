/** Advice on a redirect URI that is not registered. */
import { findRedirectRefusal } from '../game/redirect-refusal'
import { CopyButton } from 'kit/copy-button'
import { useDemo } from '../context/use-demo'

export function RedirectAdvice({ error }: { error: unknown }) {
  const { exchanges, preset, service } = useDemo()
  const refusal = findRedirectRefusal(error, { exchanges: exchanges.list.value, preset, service: service.value })
  if (!refusal) return null
  const { sent, registered, host, isCertain } = refusal
  return (
    <div class="redirect-advice">
      <p class="sent-uri">
        {isCertain ? 'This redirect URI is not registered: ' : 'If its page refused the redirect URI, this one was sent: '}
        <code>{sent}</code> <CopyButton what="the redirect URI" text={() => sent} />
      </p>
      {registered ? (
        <Registered uris={registered} />
      ) : (
        <p>
          Register it in the settings of the application at <code>{host}</code>, under redirect URIs. It is compared character by character.
        </p>
      )}
    </div>
  )
}

function Registered({ uris }: { uris: readonly string[] }) {
  return (
    <>
      <p>Registered for this application:</p>
      <ul class="registered-uris">
        {uris.map((uri) => (
          <li key={uri}>
            <code>{uri}</code>
          </li>
        ))}
      </ul>
    </>
  )
}
