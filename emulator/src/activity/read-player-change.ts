/** Reads a change of a player's device or profile from JSON. */
import { EmulatorError } from '../foundation/emulator-error.js'
import { fieldsOf, isObject, textOf } from '../foundation/type-guards.js'
import type { PlayerChange } from './activity-controls.js'
import { LAYOUT_MODES, ORIENTATIONS, THERMAL_STATES } from './device-state.js'

const VOICE_FIELDS = ['mute', 'deaf', 'selfMute', 'selfDeaf', 'speaking'] as const

/** @throws EmulatorError `bad_request` for an unknown value. */
export function readPlayerChange(value: unknown): PlayerChange {
  const { as, globalName, locale, nickname, hardwareAcceleration, voice, ...device } = fieldsOf(value)
  return {
    as: textOf(as) ?? '',
    layoutMode: choice(device['layoutMode'], LAYOUT_MODES),
    orientation: choice(device['orientation'], ORIENTATIONS),
    thermalState: choice(device['thermalState'], THERMAL_STATES),
    hardwareAcceleration: typeof hardwareAcceleration === 'boolean' ? hardwareAcceleration : undefined,
    voice: isObject(voice) ? readVoice(voice) : undefined,
    globalName: globalName === null ? null : textOf(globalName),
    locale: textOf(locale),
    nickname: isObject(nickname) ? { guildId: textOf(nickname['guildId']) ?? '', name: textOf(nickname['name']) ?? '' } : undefined,
  }
}

function readVoice(voice: Record<string, unknown>): PlayerChange['voice'] {
  return Object.fromEntries(VOICE_FIELDS.flatMap((name) => (typeof voice[name] === 'boolean' ? [[name, voice[name]]] : [])))
}

function choice<Names extends object>(value: unknown, names: Names): keyof Names | undefined {
  if (value === undefined) return undefined
  if (!isName(value, names)) throw new EmulatorError('bad_request', `Use one of ${Object.keys(names).join(', ')}.`)
  return value
}

function isName<Names extends object>(value: unknown, names: Names): value is keyof Names {
  return typeof value === 'string' && Object.hasOwn(names, value)
}
