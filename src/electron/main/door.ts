/** Where windows come to the client of the main process: who is admitted, which call is made, what goes back. */
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron'
import type { CoreClient } from '../../client/client'
import type { ClientEvents } from '../../client/events'
import { isRecord } from '../../foundation/encoding'
import { ConfigurationError, FoyerError } from '../../foundation/errors'
import { type Answer, CHANNELS, EVENTS, type Notice, type PresenceNotice, VERBS } from '../contract'
import { openMark, readMessage, seal } from './crossing'
import { WindowMemory } from './window-memory'
import { type Admission, admit, type WindowRule } from './windows'

/** A window that has spoken. */
interface Guest {
  window: WebContents
  memory: WindowMemory
  /** Whether its page wants to be told of what happens. */
  listens: boolean
  /** The last change of presence that one of its answers brought. */
  answered: number
}

interface Desk {
  client: CoreClient
  rules: readonly WindowRule[]
  guests: Map<WebContents, Guest>
  presence: { sequence: number; revision: number; turn: number; session: unknown; cause?: FoyerError | undefined }
}

/** The result closes it. @throws ConfigurationError `unsupported` for a second client with windows in one app. */
export function openDoor(client: CoreClient, rules: readonly WindowRule[]): () => void {
  const desk: Desk = { client, rules, guests: new Map(), presence: { sequence: 1, revision: 1, turn: 1, session: client.session } }
  const onCancel = (event: IpcMainEvent, id: unknown) => desk.guests.get(event.sender)?.memory.cancel(String(id))
  try {
    ipcMain.handle(CHANNELS.call, (event, text: unknown) => answer(desk, event, text))
  } catch (error) {
    throw new ConfigurationError('unsupported', 'a second client with windows', { cause: error })
  }
  ipcMain.on(CHANNELS.cancel, onCancel)
  // Who is signed in goes first: events are about it.
  const undo = [...forwardPresence(desk), ...forwardEvents(desk)]
  return () => {
    ipcMain.removeHandler(CHANNELS.call)
    ipcMain.off(CHANNELS.cancel, onCancel)
    for (const step of undo) step()
    for (const { memory } of desk.guests.values()) memory.forget()
  }
}

/** Always resolves: an error that is thrown through IPC loses its class, and keeps its stack. */
async function answer(desk: Desk, event: IpcMainInvokeEvent, text: unknown): Promise<string> {
  try {
    admit(event, desk.rules)
    const guest = welcome(desk, event.sender)
    const outcome = await makeCall(desk, guest, text)
    // Asked again: the window may have gone elsewhere while the call was made.
    const admission = admit(event, desk.rules)
    const { sequence } = look(desk)
    const news = guest.answered < sequence ? { presence: presenceText(desk, guest, admission) } : {}
    guest.answered = sequence
    const sealing = { ...admission, memory: guest.memory, session: desk.client.session }
    return print('error' in outcome ? { ...news, error: seal(outcome.error, sealing) } : { ...news, value: seal(outcome.value, sealing) })
  } catch (error) {
    return print({ error: seal(toOurs(error), { memory: new WindowMemory(), tokens: false }) })
  }
}

const print = (message: Answer | Notice): string => JSON.stringify(message)

function welcome({ guests }: Desk, window: WebContents): Guest {
  const known = guests.get(window)
  if (known) return known
  const guest = { window, memory: new WindowMemory(), listens: false, answered: 0 }
  guests.set(window, guest)
  const forget = () => {
    guest.memory.forget()
    Object.assign(guest, { listens: false, answered: 0 })
  }
  window.on('did-navigate', forget)
  window.on('render-process-gone', forget)
  window.once('destroyed', () => {
    forget()
    guests.delete(window)
  })
  return guest
}

async function makeCall(desk: Desk, guest: Guest, text: unknown): Promise<{ value: unknown } | { error: FoyerError }> {
  const call = new AbortController()
  const callBack = (id: string, args: readonly unknown[]) =>
    tell(desk, guest, (sealing) => ({ kind: 'callback', id, args: seal(args, sealing) }))
  try {
    const opening = { memory: guest.memory, signal: call.signal, call: callBack }
    const { id, verb, args } = requireCall(readMessage(text, (mark) => openMark(mark, opening)))
    if (!guest.memory.begin(id, call)) throw new ConfigurationError('invalid_argument', 'calls')
    try {
      return { value: await perform(desk, guest, { verb, args, signal: call.signal }) }
    } finally {
      guest.memory.end(id)
    }
  } catch (error) {
    return { error: toOurs(error) }
  }
}

interface Wish {
  verb: string
  args: readonly unknown[]
  signal: AbortSignal
}

async function perform({ client }: Desk, guest: Guest, { verb, args, signal }: Wish): Promise<unknown> {
  if (verb === 'connect') {
    guest.listens = true
    return undefined
  }
  if (verb === 'hold') return held(client.hold(), signal)
  const crosses = Object.entries(VERBS).some(([name, allowed]) => allowed && name === verb)
  const method: unknown = crosses ? Reflect.get(client, verb) : undefined
  if (typeof method !== 'function') throw new ConfigurationError('invalid_argument', 'verb')
  // A surface is given the verifier, and says what came back.
  if (args.some((value) => isRecord(value) && value['surface'] !== undefined)) throw new ConfigurationError('invalid_argument', 'surface')
  const given = args.map((value) => guest.memory.original(value))
  const value: unknown = await Reflect.apply(method, client, given)
  return value
}

/** Lasts until the window lets go, or is gone. */
function held(release: () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      release()
      resolve()
    })
  })
}

function requireCall(message: unknown): { id: string; verb: string; args: readonly unknown[] } {
  const { id, verb, args } = isRecord(message) ? message : {}
  if (typeof id === 'string' && typeof verb === 'string' && Array.isArray(args)) return { id, verb, args }
  throw new ConfigurationError('invalid_argument', 'message')
}

/** Arguments of a wrong type reach the client as they are, and may break it: that is the caller's fault, and its words stay here. */
function toOurs(error: unknown): FoyerError {
  return error instanceof FoyerError ? error : new ConfigurationError('invalid_argument', 'call')
}

function forwardEvents(desk: Desk): (() => void)[] {
  const { client } = desk
  const names = Object.keys(EVENTS).filter(isEvent)
  return names
    .filter((name) => EVENTS[name])
    .map((name) => {
      const onEvent = (data: unknown) =>
        tellAll(desk, (sealing) => ({ kind: 'event', name, data: seal(data, { ...sealing, session: client.session }) }))
      return client.subscribe(name, onEvent)
    })
}

function isEvent(name: string): name is keyof ClientEvents {
  return name in EVENTS
}

function forwardPresence(desk: Desk): (() => void)[] {
  const { client, presence } = desk
  const onChange = () => {
    presence.sequence += 1
    for (const guest of desk.guests.values()) tellPresence(desk, guest)
  }
  const onSession = ({ cause }: { cause?: FoyerError | undefined }) => {
    presence.turn += 1
    presence.cause = cause
    onChange()
  }
  return [
    client.subscribe('sessionChanged', onSession),
    client.subscribe('tokenRefreshed', onChange),
    client.subscribe('statusChanged', onChange),
  ]
}

/** The presence as of now: a session may be renewed without a word to the game. */
function look({ client, presence }: Desk): Desk['presence'] {
  const { session } = client
  const isAnother = session !== presence.session
  return Object.assign(presence, {
    session,
    revision: presence.revision + (isAnother ? 1 : 0),
    sequence: presence.sequence + (isAnother ? 1 : 0),
  })
}

function tellPresence(desk: Desk, guest: Guest): void {
  tell(desk, guest, (sealing) => ({ kind: 'presence', presence: presenceText(desk, guest, sealing) }))
}

function presenceText(desk: Desk, { memory }: Guest, { tokens }: { tokens: boolean }): string {
  const { cause, ...presence } = look(desk)
  const { client } = desk
  const notice: PresenceNotice = {
    ...presence,
    status: client.status,
    applicationId: client.getApplicationId(),
    ...(cause && { cause: cause.toJSON() }),
  }
  return seal(notice, { memory, tokens })
}

type Sealing = Parameters<typeof seal>[1]

function tellAll(desk: Desk, write: (sealing: Sealing) => Notice): void {
  for (const guest of desk.guests.values()) tell(desk, guest, write)
}

/** To a page that listens, and is still one that may. */
function tell({ rules }: Desk, { window, memory, listens }: Guest, write: (sealing: Sealing) => Notice): void {
  const admission = listens && !window.isDestroyed() ? admitted(window, rules) : undefined
  if (admission) window.send(CHANNELS.tell, print(write({ ...admission, memory })))
}

/** Electron throws where a frame has just gone; whoever told something must not hear of that. */
function admitted(window: WebContents, rules: readonly WindowRule[]): Admission | undefined {
  try {
    return admit({ sender: window, senderFrame: window.mainFrame }, rules)
  } catch {
    return undefined
  }
}
