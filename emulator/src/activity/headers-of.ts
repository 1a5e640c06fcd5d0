/** Response headers of the host page: its content policy above all. */
import type { EmulatorContext } from '../context/emulator-context.js'
import type { ActivityService } from './activity-service.js'
import { HOST_PATH } from './host-path.js'

/** Policy: the page runs only its own script, frames only the game, and is framed only by the emulator. */
export function headersOf({ origin, frameUrl, proxied }: ActivityService, { url, port }: EmulatorContext): Record<string, string> {
  const own = `${origin}${HOST_PATH}`
  const frames = proxied === undefined && frameUrl !== undefined ? new URL(frameUrl).origin : "'self'"
  const policy = [
    "default-src 'none'",
    `script-src ${own}assets/`,
    `style-src ${own}assets/`,
    `img-src ${url}`,
    `connect-src ${own} ${own.replace('http', 'ws')}`,
    `frame-src ${frames}`,
    `frame-ancestors ${url} http://localhost:${port}`,
    "form-action 'self'",
    "base-uri 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  }
}
