/** Runs the Activity: its host page, the game that it frames, and launches. */
import { bindMethods } from '../../foundation/bind-methods.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { findPlayer, findUser } from '../../state/find-user.js'
import type { Player } from '../../state/seed/seed.js'
import {
  findVisibleChannel,
  noSuchChannel,
  visibleChannels,
  type VisibleChannel,
} from '../guilds/visible-channels.js'
import type {
  AcceptedInvitation,
  ActivityControls,
  InstanceView,
  JoinInput,
  LaunchInput,
  PlayerChange,
} from './activity-controls.js'
import { ActivityHost } from './activity-host.js'
import { changePlayer } from './change-player.js'
import { HOST_PATH, HostServer, type HostListener } from './host-ports.js'
import type { Instance, Location } from './instances.js'
import { checkMappings, explainBlocked, proxyPolicy, type ProxyMapping } from './proxy-mapping.js'
import { type Entitlement, type PurchaseState, PurchaseType, type SkuInput } from './purchase-store.js'
import { relationshipPayload } from './relationship-commands.js'
import type { RelationshipKind } from './relationship-store.js'
import type { Provider } from 'oidc-provider'

/** The only development origin from which public embedded SDKs accept messages. */
const ACCEPTED_ORIGIN = 'http://localhost:3333'

interface Setting {
  port: number
  provider: Promise<Provider>
  /** Handles requests on the port of the host page. */
  listener: (activity: ActivityService) => HostListener
  /** URL mappings. With them the game is always proxied, with the content policy of Activities. */
  mappings?: readonly ProxyMapping[] | undefined
  /** Receives notices for the developer. */
  notice?: ((notice: string) => void) | undefined
}

/** A purchase as the host page shows it. */
export interface ShownPurchase {
  id: string
  name: string
  state: PurchaseState
  /** Name of the player who has given it, or null. */
  giver: string | null
}

export class ActivityService implements ActivityControls {
  readonly host: ActivityHost
  /** URL mappings of the proxy; undefined without its rules. */
  readonly mappings: readonly ProxyMapping[] | undefined
  readonly #context: EmulatorContext
  readonly #server = new HostServer()
  readonly #port: number
  readonly #listener: Setting['listener']
  readonly #notice: Setting['notice']
  #game: URL | undefined

  constructor(context: EmulatorContext, { port, provider, listener, notice, mappings }: Setting) {
    bindMethods(this)
    this.mappings = mappings && checkMappings(mappings)
    this.#context = context
    this.#port = port
    this.#listener = listener
    this.#notice = notice
    this.host = new ActivityHost(context, provider)
    this.host.pageUrl = () => this.url
  }

  /** URL of the host page; undefined while no game is set. */
  get url(): string | undefined {
    return this.#server.origin === undefined ? undefined : this.#server.origin + HOST_PATH
  }

  /** The origin of the host page. */
  get origin(): string | undefined {
    return this.#server.origin
  }

  get busyPort(): number | undefined {
    return this.#server.busyPort
  }

  get game(): string | undefined {
    return this.#game?.href
  }

  /** The game's own server, if the host page proxies it: a game accepts messages from few origins. */
  get proxied(): URL | undefined {
    return this.origin === ACCEPTED_ORIGIN && this.mappings === undefined ? undefined : this.#game
  }

  /** Content policy of the game; undefined without the rules of the proxy. */
  get policy(): string | undefined {
    return this.mappings === undefined || this.origin === undefined
      ? undefined
      : proxyPolicy(this.origin, this.#context.url)
  }

  /** The content policy blocked an address of the game. */
  blocked(url: string): void {
    const message = explainBlocked(url)
    this.host.broadcast({ blocked: message })
    this.#context.events.emit({ name: 'ACTIVITY_REQUEST_BLOCKED', data: { url, message } })
    this.#notice?.(message)
  }

  /** URL that frames load: the game's own, or the same path on the host page's origin if it is proxied. */
  get frameUrl(): string | undefined {
    if (this.#game === undefined || this.origin === undefined) return undefined
    return this.proxied === undefined
      ? this.#game.href
      : this.origin + this.#game.pathname + this.#game.search
  }

  /** @throws EmulatorError `bad_request` unless it is an http(s) URL. */
  async serve(game: string): Promise<void> {
    const url = URL.parse(game)
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      throw new EmulatorError(
        'bad_request',
        `The Activity's URL must begin with http: or https:, unlike ${JSON.stringify(game)}.`,
      )
    this.#game = url
    const opens = this.origin === undefined
    await this.#server.listen(
      { port: this.#port, fallback: (this.#context.port + 1) % 65_536 },
      this.#listener(this),
    )
    if (opens && this.busyPort !== undefined) this.#notice?.(busyNotice(this.busyPort, this.url))
  }

  launch({ as, channel, linkId, ...given }: LaunchInput): { instanceId: string; url: string } {
    if (this.url === undefined)
      throw new EmulatorError('activity_missing', 'No Activity is set: say where the game is (activityUrl).')
    const players = [as].flat().map((name) => findPlayer(this.#context.seed.players, name))
    const [first] = players
    const extras = { ...given, customId: this.#customIdOf(given.customId, linkId) }
    if (first === undefined) throw new EmulatorError('unknown_user', 'Somebody has to launch the Activity.')
    const channels = players.map((player) => this.#getChannel(player, channel ?? this.#usual(first)))
    const instances = players.map((player, index) => this.#join(player, channels[index], extras))
    const instanceId = instances[0]?.id ?? ''
    return { instanceId, url: this.pageOf(instanceId, players) }
  }

  /** URL of the host page with a frame for each of these players. */
  pageOf(instanceId: string, players: Pick<Player, 'id'>[]): string {
    const query = new URLSearchParams({ instance_id: instanceId, as: players.map(({ id }) => id).join(',') })
    return `${this.url}?${query.toString()}`
  }

  instances(): InstanceView[] {
    return this.host.instances.list().map((instance) => this.#view(instance))
  }

  join({ as, secret }: JoinInput): void {
    this.host.join(this.#find(as).id, secret)
  }

  setPlayer(change: PlayerChange): void {
    changePlayer(change, { player: this.#find(change.as), host: this.host, context: this.#context })
    this.#context.events.emit({ name: 'ACTIVITY_PLAYER', data: { user_id: this.#find(change.as).id } })
  }

  relate({ as, with: name, kind }: { as: string; with: string; kind: RelationshipKind }): void {
    const [one, other] = [this.#find(as), this.#find(name)]
    this.host.stores.relationships.set(one.id, other.id, kind)
    const parts = { rpc: this.host, context: this.#context }
    this.host.notify(one.id, 'RELATIONSHIP_UPDATE', { data: relationshipPayload(one.id, other, parts) })
    this.host.notify(other.id, 'RELATIONSHIP_UPDATE', { data: relationshipPayload(other.id, one, parts) })
  }

  presence(as: string) {
    return this.host.stores.presences.get(this.#find(as).id)
  }

  invitations(as: string) {
    return this.host.stores.invitations.list(this.#find(as).id)
  }

  /** @throws EmulatorError `bad_request` if the invitation is over, or the player cannot see its channel. */
  accept({ as, invitation }: { as: string; invitation: string }): AcceptedInvitation {
    const player = this.#find(as)
    const { invitations, presences } = this.host.stores
    const found = invitations.find(invitation)
    const lives = found !== undefined && this.host.instances.users(found.instanceId).includes(found.from)
    if (found === undefined || found.to !== player.id || !lives)
      throw new EmulatorError(
        'bad_request',
        'This invitation is over: its sender has left, it has expired, or it is for another player.',
      )
    const secret = presences.joinSecret(found.from)
    const { joinUrl } = this.#context.seed.application
    if (joinUrl !== undefined && secret !== undefined && !this.host.isPlaying(player.id))
      return { instanceId: found.instanceId, url: joinAddress(joinUrl, secret), opens: 'game' }
    const launched = this.launch({ as: player.id, channel: found.channelId, referrerId: found.from })
    if (secret !== undefined) this.host.join(player.id, secret)
    return { ...launched, opens: 'activity' }
  }

  skus(skus?: SkuInput[]): SkuInput[] {
    if (skus !== undefined) this.host.stores.purchases.setSkus(skus)
    return this.host.stores.purchases.skus()
  }

  entitlements(as: string) {
    return this.host.stores.purchases.entitlements(this.#find(as).id)
  }

  purchase({
    as,
    sku,
    test: isTest = true,
    giver,
  }: Parameters<ActivityControls['purchase']>[0]): Entitlement {
    const { purchases } = this.host.stores
    const { id: userId } = this.#find(as)
    if (purchases.sku(sku) === undefined)
      throw new EmulatorError('bad_request', `There is no SKU ${JSON.stringify(sku)}.`)
    const gifterId = giver === undefined ? undefined : this.#find(giver).id
    const bought = isTest ? PurchaseType.test : purchases.paidType(sku)
    const type = gifterId === undefined ? bought : PurchaseType.gift
    if (!purchases.mayBuy(userId, sku, type))
      throw new EmulatorError(
        'bad_request',
        'The player has one of these already: a backend consumes it first.',
      )
    return purchases.add({ skuId: sku, userId, type, gifterId })
  }

  refund({ entitlement: id }: { entitlement: string }): Entitlement {
    const entitlement = this.#entitlement(id)
    this.host.stores.purchases.withdraw(entitlement)
    return entitlement
  }

  cancelSubscription({ entitlement: id }: { entitlement: string }): Entitlement {
    const entitlement = this.#entitlement(id)
    if (!this.host.stores.purchases.cancel(entitlement))
      throw new EmulatorError('bad_request', 'This purchase is no subscription, or it is over.')
    return entitlement
  }

  /** Purchases of a player for the host page, the newest first. */
  shownPurchases(as: string): ShownPurchase[] {
    const { purchases } = this.host.stores
    return purchases
      .entitlements(this.#find(as).id)
      .map((entitlement) => ({
        id: entitlement.id,
        name: purchases.sku(entitlement.sku_id)?.name ?? entitlement.sku_id,
        state: purchases.stateOf(entitlement),
        giver: this.#nameOf(entitlement.gifter_user_id),
      }))
      .toReversed()
  }

  enroll({ as, quest }: { as: string; quest?: string | undefined }): void {
    const { id } = this.#find(as)
    this.host.notify(id, 'QUEST_ENROLLMENT_STATUS_UPDATE', {
      data: this.host.stores.quests.enroll(id, quest),
    })
  }

  /** Presence of every player who has one, without secrets, for the chat. */
  presences(): Record<string, unknown> {
    const shown = this.#context.seed.players.map(
      ({ id }) => [id, this.host.stores.presences.shown(id)] as const,
    )
    return Object.fromEntries(shown.filter(([, presence]) => presence !== undefined))
  }

  disconnect({ as, code, message }: { as: string; code: number; message: string }): void {
    const { id } = findPlayer(this.#context.seed.players, as)
    for (const session of this.host.sessionsOf(id)) session.close(code, message)
  }

  async close(): Promise<void> {
    this.host.clear()
    await this.#server.close()
  }

  #customIdOf(customId: string | undefined, linkId: string | undefined): string | undefined {
    if (linkId === undefined) return customId
    const link = this.host.stores.quickLinks.find(linkId)
    return link && (customId ?? link.customId)
  }

  #nameOf(userId: string | undefined): string | null {
    const found = userId === undefined ? undefined : findUser(userId, this.#context)
    return found === undefined ? null : (found.globalName ?? found.username)
  }

  #entitlement(id: string): Entitlement {
    const entitlement = this.host.stores.purchases.find(id)
    if (entitlement !== undefined) return entitlement
    throw new EmulatorError('bad_request', `There is no entitlement ${JSON.stringify(id)}.`)
  }

  #find(name: string): Player {
    const account = findUser(name, this.#context)
    return account ?? findPlayer(this.#context.seed.players, name)
  }

  #usual(player: Player): string {
    return visibleChannels(player, this.#context)[0]?.id ?? ''
  }

  #getChannel(player: Player, channel: string): VisibleChannel {
    const location = findVisibleChannel(channel, player, this.#context)
    if (location === undefined) throw noSuchChannel(channel, player, this.#context)
    return location
  }

  #join(
    player: Player,
    location: VisibleChannel | undefined,
    extras: Omit<LaunchInput, 'as' | 'channel' | 'linkId'>,
  ): Instance {
    return this.host.instances.launch(locationOf(location), player.id, extras)
  }

  #view(instance: Instance): InstanceView {
    const { id, location } = instance
    const users = this.host.instances.users(id)
    return {
      id,
      channelId: location.channelId,
      guildId: location.guildId ?? null,
      users,
      participants: this.host.instances.participants(id),
    }
  }
}

function busyNotice(port: number, url = ''): string {
  return `Port ${port} is busy: the Activity's host page is at ${url} instead, and the game is served through it. Foyer's client connects there; SDKs that accept ${ACCEPTED_ORIGIN} only do not.`
}

export function locationOf(location: VisibleChannel | undefined): Location {
  return {
    channelId: location?.id ?? '',
    guildId: location?.kind === 'guild' ? location.guild.id : undefined,
  }
}

/** @param joinUrl the game's address, in a folder of its own or at the root. */
function joinAddress(joinUrl: string, secret: string): string {
  const url = new URL('_service/join', joinUrl.replace(/\/?$/, '/'))
  url.searchParams.set('secret', secret)
  return url.href
}
