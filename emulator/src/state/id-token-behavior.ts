/** Behavior of ID tokens that tests can change. Every setting gives more than services of this kind do, and is off by default. */
import { dropUndefined } from '../foundation/values.js'
import type { Optional } from '../foundation/values.js'
import { EmulatorError } from '../foundation/emulator-error.js'

export interface IdTokenBehavior {
  /** Puts the player's names, picture and locale into ID tokens. Default: false. */
  names: boolean
  /** Issues a new ID token with every refresh. Default: false. */
  onRefresh: boolean
  /**
   * Issues an ID token with the tokens of devices, merges, backends and URL schemes too. Default: false: only a page that redeems a code
   * gets one.
   */
  forEveryGrant: boolean
}

const DEFAULT_ID_TOKENS: IdTokenBehavior = { names: false, onRefresh: false, forEveryGrant: false }

/** @throws EmulatorError `invalid_setting` */
export function resolveIdTokens(options: Optional<IdTokenBehavior> = {}): IdTokenBehavior {
  const given = dropUndefined(options)
  for (const [name, value] of Object.entries(given)) {
    if (!(name in DEFAULT_ID_TOKENS))
      throw new EmulatorError(
        'invalid_setting',
        `idTokens: there is no ${name}: there are ${Object.keys(DEFAULT_ID_TOKENS).join(', ')}`,
      )
    if (typeof value !== 'boolean')
      throw new EmulatorError('invalid_setting', `idTokens: ${name} must be true or false`)
  }
  return { ...DEFAULT_ID_TOKENS, ...given }
}
