/** List of what the main process offers to windows. */
import { CALL_PATHS, callAt } from '../../client/call-paths'
import {
  type Call,
  CHANNELS,
  DESKTOP,
  EVENTS,
  FORWARDED_DESKTOP_EVENTS,
  type WindowPath,
} from '../contract/ipc-contract'
import type { WindowRule } from '../main/admission'

/** What the main process offers to windows. */
export interface IpcReport {
  /** IPC channels. The preload script has no other. */
  channels: readonly IpcChannel[]
  /** Methods of the client that a window may call through the first channel. */
  methods: readonly string[]
  /** Methods of the client that are `unsupported` in a window. */
  unsupported: readonly string[]
  /** Further calls of the window's client, by name, with what they take. */
  internal: Readonly<Record<string, string>>
  /** Events that the main process sends to a window. */
  events: readonly string[]
  /** Pages that may call: the top frame of a window, with exactly this origin. */
  origins: readonly IpcOrigin[]
}

/** IPC channel. */
export interface IpcChannel {
  /** Name of the channel. */
  name: string
  /** Sender of its messages. */
  from: 'page' | 'main'
  /** Content of its messages. */
  takes: string
}

/** Page that may call. */
export interface IpcOrigin {
  /** Origin of the page. */
  origin: string
  /** True if some windows of this origin may receive tokens. */
  tokens: boolean
}

const CHANNEL_CONTENTS: Record<keyof typeof CHANNELS, Pick<IpcChannel, 'from' | 'takes'>> = {
  call: {
    from: 'page',
    takes: 'JSON: the id of the call, the path of a method, its arguments, and which player the window shows',
  },
  cancel: { from: 'page', takes: 'the id of a call' },
  notify: { from: 'main', takes: 'JSON: the authentication state, an event, or the arguments of a callback' },
}

const INTERNAL: Record<Exclude<Call['path'], WindowPath>, string> = {
  connect: 'nothing; returns the authentication state and subscribes the window to events',
  'desktop.followInvitations': 'nothing; joins lobbies of accepted invitations until it is cancelled',
  pauseRefresh: 'nothing; postpones refreshes until it is cancelled',
  rateLimits: 'nothing; returns the use of every rate limit',
  undo: 'the id of an earlier call, whose result it disposes of',
}

/** A window derives these from the authentication state. */
const DERIVED_EVENTS = ['statusChanged', 'sessionChanged', 'lobbyCreated', 'lobbyUpdated']

/** A window has some of the others through an internal call of the same name. */
const isUnsupported = (path: string): boolean =>
  callAt(path)?.[0] === 'none' && !Object.hasOwn(INTERNAL, path)

export function describeIpc(rules: readonly WindowRule[]): IpcReport {
  const paths = Object.keys(CALL_PATHS)
  return {
    channels: (['call', 'cancel', 'notify'] as const).map((key) => ({
      name: CHANNELS[key],
      ...CHANNEL_CONTENTS[key],
    })),
    methods: paths.filter((path) => callAt(path)?.[0] !== 'none'),
    unsupported: paths.filter(isUnsupported),
    internal: INTERNAL,
    events: [
      ...DERIVED_EVENTS,
      ...namesOf(EVENTS),
      ...namesOf(FORWARDED_DESKTOP_EVENTS).map((name) => DESKTOP + name),
    ],
    origins: rules.map(({ origin, tokens }) => ({ origin, tokens: tokens !== undefined })),
  }
}

const namesOf = (table: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(table).filter((name) => table[name] !== false)
