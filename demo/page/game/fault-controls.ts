/** The page's door to what happens behind the scenes: tricks on the emulator that was started with it. Absent with any other service. */
import type { AuthorizationSurface } from 'foyer-sdk'

export type Fault = 'expire' | 'revoke' | 'sleep' | 'refuse' | 'cut' | 'mend'

export interface FaultControls {
  perform(trick: Fault, details?: Readonly<Record<string, unknown>>): Promise<void>
  /** Approves as that player at once, with no window. */
  surfaceFor(userId: string): AuthorizationSurface
}

/** The server of this page, or the emulator behind it, did not do what the page asked for. */
export class FaultControlError extends Error {
  override readonly name = 'StageError'
}

export const FAULT_CONTROL_EVENTS = 'stage/events'

export function openFaultControls(): FaultControls {
  return {
    async perform(trick, details = {}) {
      await post(trick, details)
    },
    surfaceFor: (userId) => ({
      redirectUri: () => new URL('callback.html', location.href).href,
      open: async (url) => {
        const { redirect } = await post('authorize', { url, as: userId })
        return String(redirect)
      },
    }),
  }
}

async function post(name: string, details: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const answer = await fetch(`stage/${name}`, { method: 'POST', body: JSON.stringify(details) }).catch(() => {
    throw new FaultControlError('no answer')
  })
  if (!answer.ok) throw new FaultControlError(`status ${answer.status}`)
  const body: Record<string, unknown> = await answer.json()
  return body
}
