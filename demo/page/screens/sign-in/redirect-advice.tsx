/** Advice on a redirect URI that is not registered. */
import { FoyerError } from 'foyer-sdk'
import { CopyButton } from 'kit/copy-button'
import { useDemo } from '../../context/use-demo'
import type { Exchange } from '../../exchanges/exchange'
import { isRedirectRefused } from '../../game/explain'
import type { Preset } from '../../game/preset'
import type { ServiceSettings } from '../../game/service-settings'

/** Returns undefined for an error with another reason. */
export function useRedirectRefusal(error: unknown): RedirectRefusal | undefined {
  const { exchanges, preset, service } = useDemo()
  return findRedirectRefusal(error, { exchanges: exchanges.list.value, preset, service: service.value })
}

export function RedirectAdvice({ refusal }: { refusal: RedirectRefusal }) {
  const { sent, registered, host, isCertain } = refusal
  return (
    <div class="redirect-advice">
      <p class="sent-uri">
        {isCertain
          ? 'This redirect URI is not registered: '
          : 'If its page refused the redirect URI, this one was sent: '}
        <code>{sent}</code> <CopyButton what="the redirect URI" text={() => sent} />
      </p>
      {registered ? (
        <Registered uris={nearestFirst(registered, sent)} />
      ) : (
        <p>
          Register it in the settings of the application at <code>{host}</code>, under redirect URIs. It is
          compared character by character.
        </p>
      )}
    </div>
  )
}

function Registered({ uris }: { uris: readonly string[] }) {
  const { form } = useDemo()
  return (
    <>
      <p>Registered for this application:</p>
      <ul class="registered-uris">
        {uris.map((uri) => (
          <li key={uri}>
            <code>{uri}</code>{' '}
            <button
              type="button"
              class="quiet"
              aria-label={`Use ${uri}`}
              onClick={() => (form.value = { ...form.value, redirectUri: uri })}
            >
              Use it
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** That which begins as the sent one does for longest was meant, and comes first. */
function nearestFirst(uris: readonly string[], sent: string): readonly string[] {
  const common = (uri: string) => {
    let length = 0
    while (length < uri.length && uri[length] === sent[length]) length++
    return length
  }
  return uris.toSorted((a, b) => common(b) - common(a))
}

/** A redirect URI that is not registered: which ones are, or where to register it. */
interface RedirectRefusal {
  /** Redirect URI that was sent. */
  sent: string
  /** Those of the application; undefined at a service that does not tell. */
  registered?: readonly string[] | undefined
  /** Host of the service. */
  host: string
  /** False if the service has not said that the redirect URI is the reason. */
  isCertain: boolean
}

/** Codes of a sign-in that got no callback: the service may have shown the reason to the player only. */
const SILENT = new Set(['window_closed', 'timed_out', 'aborted', 'callback_unavailable'])

interface Asked {
  exchanges: readonly Exchange[]
  preset: Preset | null
  service: ServiceSettings
}

/** Returns undefined for an error with another reason. */
function findRedirectRefusal(
  error: unknown,
  { exchanges, preset, service }: Asked,
): RedirectRefusal | undefined {
  const hosted =
    preset !== null && (service.kind === 'emulator' || service.host?.replace(/\/$/, '') === preset.host)
  const isSilent = error instanceof FoyerError && SILENT.has(error.code)
  if (!isRedirectRefused(error) && !isSilent) return undefined
  const asked = exchanges.findLast(({ kind, sender }) => kind === 'authorize' && sender === undefined)
  const sent = asked?.query.find(({ name }) => name === 'redirect_uri')?.value
  if (sent === undefined) return undefined
  const registered = hosted ? preset.redirectUris : undefined
  if (registered && isSilent && isRegistered(sent, registered)) return undefined
  return {
    sent,
    registered,
    host: new URL(asked?.url ?? sent).host,
    isCertain: registered !== undefined || !isSilent,
  }
}

/** Compared character by character, but for the port of an address of this machine. */
function isRegistered(sent: string, registered: readonly string[]): boolean {
  return registered.some((one) => withoutPort(one) === withoutPort(sent))
}

function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|localhost)):\d+/, '$1')
}
