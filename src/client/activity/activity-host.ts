/** `ActivityHost`: commands and events of the host window, and calls for games on top of them. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { runCallback } from '../../shared/foundation/options'
import type { ActivityConnection } from './activity-connection'
import { type ActivityHostCommands, createHostCommands, type HostCallOptions } from './create-host-commands'
import type { HostWindow, SafeArea } from './host-window'
import type { ActivityHostEvents } from './host-types'
import type { ActivityLaunch } from './activity-launch'
import { requirePresence } from './check-presence'
import { RequestMapper } from './map-requests'
import { mapUrl, type UrlMapping } from './map-url'
import type { ActivityParticipant } from './read-participants'
import { type ActivityPresence, PresenceSender, type PresenceSource } from './presence-sender'
import { type Moment, type MomentForm, momentForm } from './share-moment'
import { readLink, type SharedLink } from './share-link'
import type { CheckedBody } from '../../shared/http/checked-body'
import { avatarUrl } from '../../shared/service/avatar-url'
import { camelFields, snakeFields } from './rename-fields'

/** Player in the Activity. */
export interface ActivityPlayer {
  /** User id. */
  readonly id: string
  /** Name to show: nickname, display name or user name. Display it as plain text. */
  readonly name: string
  /** Address of the avatar image, or null. */
  readonly avatarUrl: string | null
}

/** Arrangement of the Activity's frame. */
export interface ActivityLayout {
  /** Size of the frame; undefined until the host has reported it. */
  readonly mode: 'focused' | 'pip' | 'grid' | undefined
  /** Orientation of the screen; undefined until the host has reported it. */
  readonly orientation: 'portrait' | 'landscape' | undefined
  /** Space in pixels that the host's own controls cover. */
  readonly safeArea: SafeArea
}

type Listener<Event extends keyof ActivityHostEvents> = (data: ActivityHostEvents[Event]) => void

/** Result of `client.activity.connect`: the launch parameters, the host's commands and events, and calls for games. */
export interface ActivityHost extends ActivityLaunch, Omit<ActivityHostCommands, 'shareLink'> {
  /** Players whose game is connected; follows `activityParticipants`. Empty until the host has reported them. */
  readonly players: readonly ActivityPlayer[]
  /**
   * Sends a command that has no method here, with its name and fields as the protocol writes them. Resolves with the data of the response.
   *
   * @throws ApiError `invalid_command` if the host does not have it.
   */
  command(name: string, args?: object, options?: HostCallOptions): Promise<unknown>
  /**
   * Subscribes to an event of the host window. Resolves with a function that unsubscribes.
   *
   * @throws ApiError `invalid_permissions` without the scope of the event, `invalid_event`.
   * @example
   * ```ts
   * const stop = await host.subscribe('SPEAKING_START', ({ userId }) => light(userId), { channelId: host.channelId })
   * ```
   */
  subscribe<Event extends keyof ActivityHostEvents>(
    event: Event,
    listener: Listener<Event>,
    args?: object,
  ): Promise<() => void>
  /**
   * Invites friends into this instance: those in `userIds`, or without it those that the player chooses in the host's dialog.
   *
   * @throws ApiError `invalid_channel` or `invalid_permissions` for the dialog; `invalid_user` for a user who is no friend.
   */
  inviteFriends(
    options?: { userIds?: readonly string[] | undefined; content?: string | undefined } & HostCallOptions,
  ): Promise<void>
  /**
   * Shows what the player does in the game, until the next call; null removes it. With `party.lobbyId` the size of the party follows the
   * lobby. With `secrets.join` friends can be invited into the lobby: the client joins the lobby of an accepted invitation by itself, and
   * emits `activityLobby`. Requires a session with the scope `rpc.activities.write`.
   */
  setPresence(presence: ActivityPresence | null, options?: HostCallOptions): Promise<void>
  /** Joins lobbies of accepted invitations without a presence: each is emitted as `activityLobby`. Returns a function that ends this. */
  followInvitations(): () => void
  /**
   * Calls the listener with the layout now, and when layout, orientation or size of the frame change. Resolves with a function that ends
   * this.
   */
  onLayout(listener: (layout: ActivityLayout) => void): Promise<() => void>
  /** Opens a web page outside the Activity, if the player agrees; resolves with false if they do not. @throws ConfigurationError `invalid_argument`. */
  openExternal(url: string, options?: HostCallOptions): Promise<boolean>
  /**
   * Shares a picture of the game: uploads it for the player, then shows the channels to send it in. Resolves once the host shows them.
   * Requires a session in this page.
   *
   * @throws ConfigurationError `tainted_canvas` for a canvas with pictures of other sites; `invalid_argument` for another kind of file, or
   * more than 10 MiB. @throws ApiError. @throws NetworkError. @throws SessionError.
   */
  shareMoment(moment: Moment, options?: HostCallOptions): Promise<void>
  /**
   * Lets the player share a link into the Activity; the `customId` reaches the launched game. With `title`, `description` and `image` the link
   * has a look of its own, which the service keeps for 30 days: that requires a session in this page.
   *
   * @throws ConfigurationError `tainted_canvas` for a canvas with pictures of other sites, `invalid_argument` for another kind of file, or more
   * than 10 MiB. @throws ValidationError `invalid_argument` with all issues. @throws ApiError, NetworkError, SessionError, ProtocolError.
   * @example
   * ```ts
   * await host.shareLink({ message: 'Beat this', customId: 'score-92', title: 'Moon Base', description: '92 points', image: canvas })
   * ```
   */
  shareLink(
    link: SharedLink,
    options?: HostCallOptions,
  ): Promise<{ success: boolean; didCopyLink: boolean; didSendMessage: boolean }>
  /**
   * Returns the address in the Activity for one of a mapped host, to use with `fetch`, `WebSocket` and images.
   *
   * @throws ConfigurationError `invalid_argument` for a host without a mapping: the service would block it.
   */
  activityUrl(url: string, mappings: readonly UrlMapping[]): string
  /**
   * Sends requests of libraries that know nothing of the proxy to mapped hosts: `fetch`, `XMLHttpRequest`, `WebSocket` and `EventSource` of the
   * page get the address that `activityUrl` returns. Relative addresses, `blob:`, `data:`, and hosts without a mapping stay as they are. Returns a
   * function that puts the page's own functions back. Import a library afterwards: many keep the class `WebSocket` that they find when they load.
   *
   * @example
   * ```ts
   * const undo = host.mapRequests([{ prefix: '/match', target: 'match.mygame.example' }])
   * const { Client: Colyseus } = await import('colyseus.js')
   * const room = await new Colyseus('https://match.mygame.example').joinOrCreate('match')
   * ```
   */
  mapRequests(mappings: readonly UrlMapping[]): () => void
  /** The page's `fetch` with mapped addresses, for a library that takes one. The page's own function stays. */
  mappedFetch(mappings: readonly UrlMapping[]): typeof fetch
  /** The page's class `WebSocket` with mapped addresses, for a library that takes one. The page's own class stays. */
  mappedWebSocket(mappings: readonly UrlMapping[]): typeof WebSocket
}

/** Services of the client that a host uses. */
export interface HostParts extends PresenceSource {
  launch: ActivityLaunch
  connection: ActivityConnection
  window: Pick<HostWindow, 'readSafeArea' | 'onResize' | 'address'>
  /** Starts joining lobbies of accepted invitations; returns a function that ends it. */
  followInvitations: () => () => void
  /** Uploads a picture for the player; returns its address. */
  upload: (form: MomentForm, signal: AbortSignal | undefined) => Promise<string>
  /** Creates a link with a picture for the player; returns its id. */
  createLink: (preview: CheckedBody, signal: AbortSignal | undefined) => Promise<string>
}

const LAYOUTS = ['focused', 'pip', 'grid'] as const
const ORIENTATIONS = ['portrait', 'landscape'] as const

/** Subscriptions of one connection: the first listener of an event subscribes, the last one unsubscribes. */
export class HostEvents {
  readonly #connection: ActivityConnection
  readonly #listeners = new Map<string, Set<(data: never) => void>>()
  readonly #own: readonly string[]

  /** @param own Events that the client itself subscribed to, and keeps. */
  constructor(connection: ActivityConnection, own: readonly string[]) {
    this.#connection = connection
    this.#own = own
  }

  async subscribe(event: string, listener: (data: never) => void, args: object = {}): Promise<() => void> {
    const key = `${event} ${JSON.stringify(args)}`
    const listeners = this.#listeners.get(key) ?? new Set()
    const sent = snakeFields(args)
    this.#listeners.set(key, listeners.add(listener))
    try {
      if (listeners.size === 1 && !this.#own.includes(event))
        await this.#connection.command('SUBSCRIBE', sent, { event })
    } catch (error) {
      listeners.delete(listener)
      throw error
    }
    return () => {
      const last = listeners.delete(listener) && listeners.size === 0
      // A connection that has ended delivers nothing more.
      if (last && !this.#own.includes(event))
        this.#connection.command('UNSUBSCRIBE', sent, { event }).catch(() => undefined)
    }
  }

  dispatch(event: string, data: unknown): void {
    const given = camelFields(data)
    if (!isRecord(given)) return
    for (const [key, listeners] of this.#listeners) {
      const [name = '', ...args] = key.split(' ')
      if (name !== event || !agrees(JSON.parse(args.join(' ')), given)) continue
      // oxlint-disable-next-line no-unsafe-type-assertion -- the event names the type of its data; the data stay unverified
      for (const listener of listeners) runCallback(() => listener(given as never))
    }
  }
}

/** An event names its channel or guild; a listener for another one does not receive it. */
function agrees(args: unknown, data: Readonly<Record<string, unknown>>): boolean {
  const same = ([name, value]: [string, unknown]) => data[name] === undefined || data[name] === value
  return !isRecord(args) || Object.entries(args).every(same)
}

/** Creates the host of a connection. Its methods are inherited, so that the own fields are those of the launch. */
export function createActivityHost(
  parts: HostParts,
  events: HostEvents,
  readPlayers: () => readonly ActivityPlayer[],
): ActivityHost {
  const { launch, connection, window } = parts
  const commands = createHostCommands(connection)
  const presence = new PresenceSender(parts, commands)
  const hostCommands = { ...commands }
  const requests = new RequestMapper(() => window.address())
  const methods = Object.assign(commands, {
    command: (name: string, args: object = {}, options?: HostCallOptions) =>
      connection.command(name, args, { ...options }),
    subscribe: events.subscribe.bind(events),
    inviteFriends: (
      options?: { userIds?: readonly string[] | undefined; content?: string | undefined } & HostCallOptions,
    ) => inviteFriends(commands, options),
    setPresence: async (next: ActivityPresence | null, options?: HostCallOptions) => {
      requirePresence(next)
      if (next?.secrets?.join) parts.followInvitations()
      await presence.set(next, options)
    },
    followInvitations: parts.followInvitations,
    onLayout: (listener: (layout: ActivityLayout) => void) => followLayout({ listener, events, window }),
    openExternal: async (url: string, options?: HostCallOptions) => {
      if (!/^https?:\/\//i.test(url))
        throw new ConfigurationError('invalid_argument', 'url', { remedy: 'Use an https address' })
      return (await commands.openExternalLink({ url }, options)).opened === true
    },
    shareMoment: async (moment: Moment, options?: HostCallOptions) => {
      const form = await momentForm(moment)
      const author = parts.author()
      const mediaUrl = await parts.upload(form, options?.signal)
      const accessToken = await author.accessToken()
      if (accessToken !== undefined) await commands.authenticate({ accessToken }, options)
      await commands.openShareMomentDialog({ mediaUrl }, options)
    },
    shareLink: async (given: SharedLink, options?: HostCallOptions) => {
      const { link, preview } = await readLink(given)
      const linkId = preview ? await parts.createLink(preview, options?.signal) : link.linkId
      return hostCommands.shareLink({ ...link, linkId }, options)
    },
    activityUrl: (url: string, mappings: readonly UrlMapping[]) =>
      requireMapped(mapUrl(url, mappings, window.address())),
    mapRequests: (mappings: readonly UrlMapping[]) => requests.map(mappings),
    mappedFetch: (mappings: readonly UrlMapping[]) => requests.fetch(mappings),
    mappedWebSocket: (mappings: readonly UrlMapping[]) => requests.webSocket(mappings),
  })
  Object.defineProperty(methods, 'players', { get: readPlayers })
  // oxlint-disable-next-line no-unsafe-type-assertion -- Object.create has no type
  return Object.assign(Object.create(methods) as ActivityHost, launch)
}

function requireMapped(mapped: string | null): string {
  if (mapped === null)
    throw new ConfigurationError('invalid_argument', 'url', {
      remedy: 'No URL mapping covers this host: the service would block it',
    })
  return mapped
}

async function inviteFriends(
  commands: ActivityHostCommands,
  {
    userIds,
    content,
    ...options
  }: { userIds?: readonly string[] | undefined; content?: string | undefined } & HostCallOptions = {},
): Promise<void> {
  if (!userIds) return commands.openInviteDialog({}, options)
  for (const userId of userIds)
    await commands.inviteUserEmbedded({ userId, ...(content !== undefined && { content }) }, options)
}

interface LayoutFollower {
  listener: (layout: ActivityLayout) => void
  events: HostEvents
  window: HostParts['window']
}

async function followLayout({ listener, events, window }: LayoutFollower): Promise<() => void> {
  let mode: ActivityLayout['mode']
  let orientation: ActivityLayout['orientation']
  const report = () => runCallback(() => listener({ mode, orientation, safeArea: window.readSafeArea() }))
  const undo = await Promise.all([
    events.subscribe('ACTIVITY_LAYOUT_MODE_UPDATE', ({ layoutMode }: { layoutMode: number }) => {
      mode = LAYOUTS[layoutMode]
      report()
    }),
    events.subscribe('ORIENTATION_UPDATE', ({ screenOrientation }: { screenOrientation: number }) => {
      orientation = ORIENTATIONS[screenOrientation]
      report()
    }),
  ])
  undo.push(window.onResize(report))
  report()
  return () => undo.forEach((end) => end())
}

/** The name and avatar of a participant. `cdn`: host of images, from READY. */
export function playerOf(
  { id, username, globalName, nickname, avatar }: ActivityParticipant,
  cdn: string,
): ActivityPlayer {
  const name = nickname ?? globalName ?? username
  return { id, name, avatarUrl: avatar === null ? null : avatarUrl({ cdnUrl: cdn }, { id, avatar }) }
}
