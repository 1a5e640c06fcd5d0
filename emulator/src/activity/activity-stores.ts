/** State behind the host window: presence, relationships, devices, profiles, purchases, quests and invitations, all in memory. */
import type { EmulatorContext } from '../context/emulator-context.js'
import { DeviceStore } from './device-state.js'
import { InvitationStore } from './invitation-store.js'
import { PresenceStore } from './presence-store.js'
import { ProfileStore } from './profile-store.js'
import { PurchaseStore } from './purchase-store.js'
import { QuestStore } from './quest-store.js'
import { RelationshipStore } from './relationship-store.js'

export class ActivityStores {
  readonly presences: PresenceStore
  readonly relationships = new RelationshipStore()
  readonly devices = new DeviceStore()
  readonly profiles = new ProfileStore()
  readonly purchases: PurchaseStore
  readonly quests: QuestStore
  readonly invitations: InvitationStore

  constructor({ seed, clock }: EmulatorContext) {
    this.presences = new PresenceStore(seed.application, clock)
    this.purchases = new PurchaseStore(seed.application.id, clock)
    this.quests = new QuestStore(clock)
    this.invitations = new InvitationStore(clock)
  }

  clear(): void {
    const { presences, relationships, devices, profiles, purchases, quests, invitations } = this
    for (const store of [presences, relationships, devices, profiles, purchases, quests, invitations]) store.clear()
  }
}
