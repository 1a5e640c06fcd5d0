/** Links into the Activity with a picture and texts of their own, which players create and share. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../state/clock.js'

export interface QuickLink {
  id: string
  title: string
  description: string
  /** URL of the picture. */
  image: string
  customId?: string | undefined
  /** Epoch milliseconds. */
  expiresAt: number
}

/** Milliseconds until a link is over. */
const LIFETIME = 30 * 86_400_000

export class QuickLinkStore {
  readonly #clock: Clock
  readonly #links = new Map<string, QuickLink>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(link: Omit<QuickLink, 'id' | 'expiresAt'>): QuickLink {
    const stored = {
      ...link,
      id: randomBytes(12).toString('hex'),
      expiresAt: this.#clock.now() + LIFETIME,
    }
    this.#links.set(stored.id, stored)
    return stored
  }

  /** Undefined if it is over. */
  find(id: string): QuickLink | undefined {
    const link = this.#links.get(id)
    return link !== undefined && link.expiresAt > this.#clock.now() ? link : undefined
  }

  clear(): void {
    this.#links.clear()
  }
}
