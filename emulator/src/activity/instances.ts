/** The Activity's instances: one for all who launch it in a channel, from the first launch until everybody has left. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../foundation/clock.js'
import { Snowflakes } from '../state/snowflakes.js'

/** Where an Activity was launched; `guildId` is undefined for a direct message. */
export interface Location {
  channelId: string
  guildId: string | undefined
}

export interface Instance {
  /** The same for all participants, and never used again. */
  readonly id: string
  readonly launchId: string
  readonly location: Location
}

/** What a launch link brought along; the game reads it from its address. */
export interface LaunchExtras {
  customId?: string | undefined
  referrerId?: string | undefined
}

interface Seat {
  readonly userId: string
  readonly extras: LaunchExtras
  /** Windows of this player in which the game is connected, or still loading. */
  readonly frames: Map<string, 'loading' | 'connected'>
  /** Epoch milliseconds: without a window by then, the player has left. */
  until: number
}

interface Room {
  readonly instance: Instance
  readonly seats: Map<string, Seat>
}

export type InstanceChange = { kind: 'launched' | 'participants' | 'closed'; instance: Instance }

/** How long a place is kept for a player who launched and whose window is not there yet. */
const arrival = 60_000
/** How long it is kept when the window went away: it may only be loading anew. */
const reload = 5000

export class Instances {
  readonly #clock: Clock
  readonly #rooms = new Map<string, Room>()
  readonly #snowflakes = new Snowflakes(0n)
  readonly #tell: (change: InstanceChange) => void
  #timer: NodeJS.Timeout | undefined

  constructor(clock: Clock, tell: (change: InstanceChange) => void) {
    this.#clock = clock
    this.#tell = tell
  }

  /** Joins the instance of this channel, or begins one. */
  launch(location: Location, userId: string, extras: LaunchExtras = {}): Instance {
    this.#sweep()
    const existing = [...this.#rooms.values()].find(({ instance }) => sameLocation(instance.location, location))
    const room = existing ?? this.#begin(location)
    const seat = room.seats.get(userId)
    const frames = seat?.frames ?? new Map<string, 'loading' | 'connected'>()
    room.seats.set(userId, { userId, extras, frames, until: this.#clock.now() + arrival })
    if (existing === undefined) this.#tell({ kind: 'launched', instance: room.instance })
    this.#planSweep()
    return room.instance
  }

  find(id: string): Instance | undefined {
    this.#sweep()
    return this.#rooms.get(id)?.instance
  }

  /** Oldest first. */
  list(): Instance[] {
    this.#sweep()
    return [...this.#rooms.values()].map(({ instance }) => instance)
  }

  /** Everybody who launched or joined and has not left. */
  users(id: string): string[] {
    this.#sweep()
    return [...(this.#rooms.get(id)?.seats.keys() ?? [])]
  }

  /** Those whose game has shaken hands. */
  participants(id: string): string[] {
    const seats = [...(this.#rooms.get(id)?.seats.values() ?? [])]
    return seats.filter(({ frames }) => [...frames.values()].includes('connected')).map(({ userId }) => userId)
  }

  /** A window opens for a player. Undefined when the instance is over. */
  open(id: string, userId: string, frameId: string): LaunchExtras | undefined {
    this.#sweep()
    const room = this.#rooms.get(id)
    if (room === undefined) return undefined
    const seat = room.seats.get(userId) ?? { userId, extras: {}, frames: new Map(), until: 0 }
    room.seats.set(userId, seat)
    seat.frames.set(frameId, 'loading')
    return seat.extras
  }

  connect(id: string, userId: string, frameId: string): void {
    this.#setFrame({ id, userId, frameId }, 'connected')
  }

  /** The game in this window is gone, for now: it is loading anew, or it said goodbye. */
  disconnect(id: string, userId: string, frameId: string): void {
    this.#setFrame({ id, userId, frameId }, 'loading')
  }

  /** A window is closed; `for: 'good'` gives up the place at once. */
  leave(id: string, userId: string, { frameId, stays }: { frameId: string; stays: 'a moment' | 'no' }): void {
    const room = this.#rooms.get(id)
    const seat = room?.seats.get(userId)
    if (room === undefined || seat === undefined) return
    const was = seat.frames.get(frameId)
    seat.frames.delete(frameId)
    seat.until = stays === 'no' ? 0 : this.#clock.now() + reload
    if (was === 'connected') this.#tell({ kind: 'participants', instance: room.instance })
    this.#sweep()
    this.#planSweep()
  }

  /** Ends all of them without a word. */
  clear(): void {
    this.#rooms.clear()
    clearTimeout(this.#timer)
  }

  #begin(location: Location): Room {
    const launchId = this.#snowflakes.next(this.#clock.now())
    const instance = { id: `i-${launchId}-${locationId(location)}`, launchId, location }
    const room = { instance, seats: new Map() }
    this.#rooms.set(instance.id, room)
    return room
  }

  #setFrame({ id, userId, frameId }: { id: string; userId: string; frameId: string }, state: 'loading' | 'connected'): void {
    const room = this.#rooms.get(id)
    const frames = room?.seats.get(userId)?.frames
    if (room === undefined || frames === undefined || !frames.has(frameId) || frames.get(frameId) === state) return
    frames.set(frameId, state)
    this.#tell({ kind: 'participants', instance: room.instance })
  }

  /** Whoever has no window when the time is up has left; an instance without anybody is over. */
  #sweep(): void {
    const now = this.#clock.now()
    for (const { instance, seats } of this.#rooms.values()) {
      for (const seat of seats.values()) if (seat.frames.size === 0 && seat.until <= now) seats.delete(seat.userId)
      if (seats.size > 0) continue
      this.#rooms.delete(instance.id)
      this.#tell({ kind: 'closed', instance })
    }
  }

  /** Tells in time that an instance is over, also when nobody asks. */
  #planSweep(): void {
    clearTimeout(this.#timer)
    const waiting = [...this.#rooms.values()].flatMap(({ seats }) => [...seats.values()]).filter(({ frames }) => frames.size === 0)
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
