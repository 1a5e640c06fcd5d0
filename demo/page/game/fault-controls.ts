/** Fault controls of the emulator that was started with the page. Absent with any other service. */
import { AuthorizationError, type AuthorizationSurface } from 'foyer-sdk'

export type Fault = 'expire' | 'revoke' | 'sleep' | 'refuse' | 'cut' | 'mend' | 'disarm'

export interface FaultControls {
  perform(fault: Fault, details?: Readonly<Record<string, unknown>>): Promise<void>
  /** Resolves with true while the refusal of the next message waits for one. */
  isArmed(): Promise<boolean>
  /** Has the game's backend create a lobby with this player, who may link it; returns its id. */
  createLobby(userId: string): Promise<string>
  /** Returns a surface that approves as that player immediately, without a window. */
  surfaceFor(userId: string): AuthorizationSurface
}

/** Failure of a fault control: the server of this page, or the emulator, did not carry out the request. */
export class FaultControlError extends Error {
  override readonly name = 'FaultControlError'
}

export const FAULT_CONTROL_EVENTS = 'faults/events'

export function openFaultControls(): FaultControls {
  return {
    async perform(fault, details = {}) {
      await post(fault, details)
    },
    isArmed: async () => (await post('armed', {}))['isArmed'] === true,
    createLobby: async (userId) => String((await post('lobby', { user: userId }))['id']),
    surfaceFor: (userId) => ({
      redirectUri: () => new URL('callback.html', location.href).href,
      open: async (url) => {
        const { redirect } = await post('authorize', { url, as: userId }).catch(async (error: unknown) => {
          throw (await refusalOf(url)) ?? error
        })
        return String(redirect)
      },
    }),
  }
}

async function post(
  name: string,
  details: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const response = await fetch(`faults/${name}`, { method: 'POST', body: JSON.stringify(details) }).catch(
    () => {
      throw new FaultControlError('no response')
    },
  )
  const body: Record<string, unknown> = await response.json().catch(() => ({}))
  if (!response.ok)
    throw new FaultControlError(
      typeof body['message'] === 'string' ? body['message'] : `status ${response.status}`,
    )
  return body
}

const REFUSALS = ['invalid_request', 'invalid_client', 'invalid_scope', 'unauthorized_client'] as const

/** Asks the emulator why it refuses an authorize URL: nobody sees its page. Undefined if it does not. */
async function refusalOf(url: string): Promise<AuthorizationError | undefined> {
  const { origin, search } = new URL(url)
  try {
    const response = await fetch(`${origin}/.well-known/authorize-check${search}`, { credentials: 'omit' })
    const { error, rule, advice }: Record<string, unknown> = await response.json()
    if (response.ok || typeof error !== 'string') return undefined
    return new AuthorizationError(REFUSALS.find((one) => one === error) ?? 'authorization_failed', {
      serviceError: error,
      untrustedDescription: [rule, advice].filter((text) => typeof text === 'string').join('. '),
    })
  } catch {
    return undefined
  }
}
