/** List of what the main process offers to windows. */
import { type Call, CHANNELS, EVENTS, type Verb, VERBS } from '../ipc-contract/ipc-contract'
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
  call: { from: 'page', takes: 'JSON: the id of the call, the name of a method, its arguments, and which player the window shows' },
  cancel: { from: 'page', takes: 'the id of a call' },
  notify: { from: 'main', takes: 'JSON: the authentication state, an event, or the arguments of a callback' },
}

const INTERNAL: Record<Exclude<Call['verb'], Verb>, string> = {
  connect: 'nothing; returns the authentication state and subscribes the window to events',
  hold: 'nothing; postpones refreshes until it is cancelled',
  limits: 'nothing; returns the use of every rate limit',
  undo: 'the id of an earlier call, whose result it disposes of',
}

export function describeIpc(rules: readonly WindowRule[]): IpcReport {
  return {
    channels: (['call', 'cancel', 'notify'] as const).map((key) => ({ name: CHANNELS[key], ...CHANNEL_CONTENTS[key] })),
    methods: namesOf(VERBS),
    unsupported: Object.keys(VERBS).filter((name) => !namesOf(VERBS).includes(name)),
    internal: INTERNAL,
    // A window derives these two from the authentication state.
    events: ['statusChanged', 'sessionChanged', ...namesOf(EVENTS)],
    origins: rules.map(({ origin, tokens }) => ({ origin, tokens: tokens !== undefined })),
  }
}

const namesOf = (table: Readonly<Record<string, unknown>>): string[] => Object.keys(table).filter((name) => table[name] !== false)
