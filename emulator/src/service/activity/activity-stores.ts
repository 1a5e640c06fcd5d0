/** State behind the host window: presence, relationships, devices, profiles, purchases, quests, invitations and links, all in memory. */
import type { Clock } from '../../state/clock.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Player } from '../../state/seed/seed.js'
import { DeviceStore } from './device-state.js'
import { InvitationStore } from './invitation-store.js'
import { PresenceStore } from './presence-store.js'
import { QuickLinkStore } from './quick-link-store.js'
import { PurchaseStore } from './purchase-store.js'
import { RelationshipStore } from './relationship-store.js'
import { randomBytes } from 'node:crypto'

export class ActivityStores {
  readonly presences: PresenceStore
  readonly relationships = new RelationshipStore()
  readonly devices = new DeviceStore()
  readonly profiles = new ProfileStore()
  readonly purchases: PurchaseStore
  readonly quests: QuestStore
  readonly invitations: InvitationStore
  readonly quickLinks: QuickLinkStore

  constructor(context: EmulatorContext) {
    const { seed, clock } = context
    this.presences = new PresenceStore(seed.application, clock)
    this.purchases = new PurchaseStore(context)
    this.quests = new QuestStore(clock)
    this.invitations = new InvitationStore(clock)
    this.quickLinks = new QuickLinkStore(clock)
  }

  clear(): void {
    const { presences, relationships, devices, profiles, purchases, quests, invitations, quickLinks } = this
    const all = [presences, relationships, devices, profiles, purchases, quests, invitations, quickLinks]
    for (const store of all) store.clear()
  }
}

interface ProfileChange {
  globalName?: string | null | undefined
  locale?: string | undefined
}

class ProfileStore {
  readonly #originals = new Map<Player, Pick<Player, 'globalName' | 'locale'>>()
  readonly #nicknames = new Map<string, string>()

  /** Changes the player for every part of the emulator. */
  change(player: Player, { globalName, locale }: ProfileChange): void {
    if (!this.#originals.has(player))
      this.#originals.set(player, { globalName: player.globalName, locale: player.locale })
    if (globalName !== undefined) player.globalName = globalName
    if (locale !== undefined) player.locale = locale
  }

  setNickname(guildId: string, userId: string, nickname: string): void {
    this.#nicknames.set(`${guildId} ${userId}`, nickname)
  }

  nickname(guildId: string | undefined, userId: string): string | undefined {
    return guildId === undefined ? undefined : this.#nicknames.get(`${guildId} ${userId}`)
  }

  clear(): void {
    for (const [player, original] of this.#originals) Object.assign(player, original)
    this.#originals.clear()
    this.#nicknames.clear()
  }
}

interface HostImage {
  type: string
  bytes: Buffer
}

const CAPACITY = 50

export class HostImages {
  readonly #images = new Map<string, HostImage>()

  /** Returns the id of the image. */
  add(image: HostImage): string {
    const id = randomBytes(12).toString('hex')
    this.#images.set(id, image)
    for (const oldest of [...this.#images.keys()].slice(0, -CAPACITY)) this.#images.delete(oldest)
    return id
  }

  find(id: string): HostImage | undefined {
    return this.#images.get(id)
  }

  clear(): void {
    this.#images.clear()
  }
}

/** Id of the quest that GET_QUEST returns. */
export const DEFAULT_QUEST = '1288200000000000001'

interface Enrollment {
  /** Date, without a time. */
  enrolledAt: string
  timer: boolean
}

class QuestStore {
  readonly #clock: Clock
  readonly #enrollments = new Map<string, Enrollment>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  enroll(userId: string, questId = DEFAULT_QUEST) {
    const enrolledAt = new Date(this.#clock.now()).toISOString().slice(0, 10)
    this.#enrollments.set(`${questId} ${userId}`, { enrolledAt, timer: false })
    return { quest_id: questId, is_enrolled: true, enrolled_at: enrolledAt }
  }

  status(userId: string, questId = DEFAULT_QUEST) {
    const enrollment = this.#enrollments.get(`${questId} ${userId}`)
    return {
      quest_id: questId,
      is_enrolled: enrollment !== undefined,
      enrolled_at: enrollment?.enrolledAt ?? null,
    }
  }

  /** Returns true if the player is enrolled. */
  startTimer(userId: string, questId: string): boolean {
    const enrollment = this.#enrollments.get(`${questId} ${userId}`)
    if (enrollment !== undefined) enrollment.timer = true
    return enrollment !== undefined
  }

  clear(): void {
    this.#enrollments.clear()
  }
}
