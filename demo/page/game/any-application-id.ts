/** Application ids that are no decimal numbers. The SDK refuses them, so it gets another one, and the page sends the id that was typed in. */
import type { ClientOptions } from 'foyer-sdk'
import type { ServiceSettings } from './client-settings'

type Fetch = NonNullable<ClientOptions['fetch']>

/** Id that the SDK gets instead. */
export const STAND_IN = '1'

/** True if the SDK refuses the typed id for its format. */
export function isRefusedId({ kind, applicationId = '' }: ServiceSettings): boolean {
  return kind === 'custom' && applicationId !== '' && !/^\d+$/.test(applicationId)
}

/** Returns the id that is sent in place of the stand-in; undefined if the SDK sends its own. */
export function sentIdOf(settings: ServiceSettings): string | undefined {
  return settings.anyId === 'yes' && isRefusedId(settings) ? settings.applicationId : undefined
}

/** Puts the id into the forms that the SDK sends. */
export function sendId(send: Fetch, id: string): Fetch {
  return (input, init) => {
    const { body } = init
    if (typeof body !== 'string' || !body.includes(`client_id=${STAND_IN}`)) return send(input, init)
    const form = new URLSearchParams(body)
    if (form.get('client_id') === STAND_IN) form.set('client_id', id)
    return send(input, { ...init, body: form.toString() })
  }
}
