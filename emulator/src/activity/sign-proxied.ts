/** Signs proxied requests of a game for its backend: Ed25519 over a payload in a header, by the application's key. */
import { createPrivateKey, sign } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { EmulatorContext } from '../context/emulator-context.js'
import type { ActivityHost } from './activity-host.js'

const HEADERS = { payload: 'x-service-proxy-payload', signature: 'x-signature-ed25519', timestamp: 'x-signature-timestamp' }
/** Seconds for which a payload is valid (assumed). */
const LIFETIME = 300

/**
 * Replaces the headers of a signature. A request is signed if its address or its referrer names the frame of a player; any other one, such
 * as of a worker, arrives unsigned. The fields of the payload other than its times are assumed.
 */
export function signProxied(request: IncomingMessage, host: ActivityHost, { credentials, clock, seed }: EmulatorContext): void {
  for (const name of Object.values(HEADERS)) delete request.headers[name]
  const frame = host.findFrame(frameIdOf(request) ?? '')
  if (frame === undefined) return
  const created = Math.floor(clock.now() / 1000)
  const user = { application_id: seed.application.id, user_id: frame.player.id, instance_id: frame.instance.id }
  const payload = Buffer.from(JSON.stringify({ created_at: created, expires_at: created + LIFETIME, ...user }))
  const key = createPrivateKey({ key: Buffer.from(credentials.interactionKey, 'base64'), format: 'der', type: 'pkcs8' })
  request.headers[HEADERS.payload] = payload.toString('base64')
  request.headers[HEADERS.timestamp] = String(created)
  request.headers[HEADERS.signature] = sign(null, payload, key).toString('base64')
}

function frameIdOf({ url = '/', headers: { referer = '' } }: IncomingMessage): string | undefined {
  const own = URL.parse(url, 'http://localhost')?.searchParams.get('frame_id')
  return own ?? URL.parse(referer)?.searchParams.get('frame_id') ?? undefined
}
