/** Instances of the Activity: one per channel, from the first launch until the last player leaves. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../state/clock.js'
import { Snowflakes } from '../../state/snowflakes.js'

/** Location of a launch; `guildId` is undefined in a direct message. */
export interface Location {
  channelId: string
  guildId: string | undefined
}

export interface Instance {
  /** Shared by all participants, and never reused. */
  readonly id: string
  readonly launchId: string
  readonly location: Location
}

/** Parameters of a launch link; the game reads them from its URL. */
export interface LaunchExtras {
  customId?: string | undefined
  referrerId?: string | undefined
  /** Default: desktop. */
  platform?: 'desktop' | 'mobile' | undefined
}

interface Member {
  readonly userId: string
  readonly extras: LaunchExtras
  /** Number of this player's windows in which the game is connected or loading. */
  readonly frames: Map<string, 'loading' | 'connected'>
  /** Epoch milliseconds. A player without a window at this time has left. */
  until: number
}

interface InstanceState {
  readonly instance: Instance
  readonly members: Map<string, Member>
}

export type InstanceChange = { kind: 'launched' | 'participants' | 'closed'; instance: Instance }

/** Milliseconds until a player who launched must have a window. */
const LAUNCH_GRACE = 60_000
/** Milliseconds for a window to come back: it may be reloading. */
const RELOAD = 5000

export class Instances {
  readonly #clock: Clock
  readonly #states = new Map<string, InstanceState>()
  readonly #snowflakes = new Snowflakes(0n)
  readonly #onChange: (change: InstanceChange) => void
  #timer: NodeJS.Timeout | undefined

  constructor(clock: Clock, onChange: (change: InstanceChange) => void) {
    this.#clock = clock
    this.#onChange = onChange
  }

  /** Joins the instance of this channel, or creates one. */
  launch(location: Location, userId: string, extras: LaunchExtras = {}): Instance {
    this.#sweep()
    const existing = [...this.#states.values()].find(({ instance }) =>
      sameLocation(instance.location, location),
    )
    const state = existing ?? this.#begin(location)
    const member = state.members.get(userId)
    const frames = member?.frames ?? new Map<string, 'loading' | 'connected'>()
    state.members.set(userId, { userId, extras, frames, until: this.#clock.now() + LAUNCH_GRACE })
    if (existing === undefined) this.#onChange({ kind: 'launched', instance: state.instance })
    this.#planSweep()
    return state.instance
  }

  find(id: string): Instance | undefined {
    this.#sweep()
    return this.#states.get(id)?.instance
  }

  /** Oldest first. */
  list(): Instance[] {
    this.#sweep()
    return [...this.#states.values()].map(({ instance }) => instance)
  }

  /** Players who launched or joined and have not left. */
  users(id: string): string[] {
    this.#sweep()
    return [...(this.#states.get(id)?.members.keys() ?? [])]
  }

  /** Players whose game has completed the handshake. */
  participants(id: string): string[] {
    const members = [...(this.#states.get(id)?.members.values() ?? [])]
    return members
      .filter(({ frames }) => [...frames.values()].includes('connected'))
      .map(({ userId }) => userId)
  }

  /** Adds a window of a player. Returns undefined if the instance has ended. */
  open(id: string, userId: string, frameId: string): LaunchExtras | undefined {
    this.#sweep()
    const state = this.#states.get(id)
    if (state === undefined) return undefined
    const member = state.members.get(userId) ?? { userId, extras: {}, frames: new Map(), until: 0 }
    state.members.set(userId, member)
    member.frames.set(frameId, 'loading')
    return member.extras
  }

  connect(id: string, userId: string, frameId: string): void {
    this.#setFrame({ id, userId, frameId }, 'connected')
  }

  /** The game in this window disconnected: it reloads, or closed the session. */
  disconnect(id: string, userId: string, frameId: string): void {
    this.#setFrame({ id, userId, frameId }, 'loading')
  }

  /** Removes a window; `for: 'good'` removes the member at once. */
  leave(id: string, userId: string, { frameId, stays }: { frameId: string; stays: 'a moment' | 'no' }): void {
    const state = this.#states.get(id)
    const member = state?.members.get(userId)
    if (state === undefined || member === undefined) return
    const was = member.frames.get(frameId)
    member.frames.delete(frameId)
    member.until = stays === 'no' ? 0 : this.#clock.now() + RELOAD
    if (was === 'connected') this.#onChange({ kind: 'participants', instance: state.instance })
    this.#sweep()
    this.#planSweep()
  }

  /** Ends all instances without events. */
  clear(): void {
    this.#states.clear()
    clearTimeout(this.#timer)
  }

  #begin(location: Location): InstanceState {
    const launchId = this.#snowflakes.next(this.#clock.now())
    const instance = { id: `i-${launchId}-${locationId(location)}`, launchId, location }
    const state = { instance, members: new Map() }
    this.#states.set(instance.id, state)
    return state
  }

  #setFrame(
    { id, userId, frameId }: { id: string; userId: string; frameId: string },
    phase: 'loading' | 'connected',
  ): void {
    const state = this.#states.get(id)
    const frames = state?.members.get(userId)?.frames
    if (state === undefined || frames === undefined || !frames.has(frameId) || frames.get(frameId) === phase)
      return
    frames.set(frameId, phase)
    this.#onChange({ kind: 'participants', instance: state.instance })
  }

  /** Removes participants whose time without a window is over; an instance without participants ends. */
  #sweep(): void {
    const now = this.#clock.now()
    for (const { instance, members } of this.#states.values()) {
      for (const member of members.values())
        if (member.frames.size === 0 && member.until <= now) members.delete(member.userId)
      if (members.size > 0) continue
      this.#states.delete(instance.id)
      this.#onChange({ kind: 'closed', instance })
    }
  }

  /** Timer that ends instances on time, without a request. */
  #planSweep(): void {
    clearTimeout(this.#timer)
    const waiting = [...this.#states.values()]
      .flatMap(({ members }) => [...members.values()])
      .filter(({ frames }) => frames.size === 0)
    if (waiting.length === 0) return
    const next = Math.min(...waiting.map(({ until }) => until))
    this.#timer = setTimeout(
      () => {
        this.#sweep()
        this.#planSweep()
      },
      Math.max(0, next - this.#clock.now()) + 1,
    ).unref()
  }
}

/** `gc-<guild>-<channel>` or `pc-<channel>`. */
export function locationId({ guildId, channelId }: Location): string {
  return guildId === undefined ? `pc-${channelId}` : `gc-${guildId}-${channelId}`
}

export function newFrameId(): string {
  return randomBytes(16).toString('hex')
}

function sameLocation(left: Location, right: Location): boolean {
  return left.channelId === right.channelId && left.guildId === right.guildId
}
