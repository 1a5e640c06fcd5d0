/** State of each player's device and voice, set by hand: layout, orientation, temperature, microphone. */

export const LAYOUT_MODES = { focused: 0, pip: 1, grid: 2 } as const
export const ORIENTATIONS = { portrait: 0, landscape: 1 } as const
export const THERMAL_STATES = { nominal: 0, fair: 1, serious: 2, critical: 3 } as const

export interface VoiceState {
  /** Muted or deafened by a moderator. */
  mute: boolean
  deaf: boolean
  /** Muted or deafened by the player. */
  selfMute: boolean
  selfDeaf: boolean
  speaking: boolean
}

export interface DeviceState {
  layoutMode: keyof typeof LAYOUT_MODES
  orientation: keyof typeof ORIENTATIONS
  thermalState: keyof typeof THERMAL_STATES
  hardwareAcceleration: boolean
  voice: VoiceState
  /** Set by the game: SET_CONFIG. */
  interactivePip: boolean
  /** Set by the game: SET_ORIENTATION_LOCK_STATE, as it was sent. */
  orientationLock: Record<string, unknown>
}

export class DeviceStore {
  readonly #devices = new Map<string, DeviceState>()

  /** The mutable state of a player's device. */
  of(userId: string): DeviceState {
    const known = this.#devices.get(userId) ?? freshDevice()
    this.#devices.set(userId, known)
    return known
  }

  clear(): void {
    this.#devices.clear()
  }
}

function freshDevice(): DeviceState {
  return {
    layoutMode: 'focused',
    orientation: 'landscape',
    thermalState: 'nominal',
    hardwareAcceleration: true,
    voice: { mute: false, deaf: false, selfMute: false, selfDeaf: false, speaking: false },
    interactivePip: false,
    orientationLock: {},
  }
}
