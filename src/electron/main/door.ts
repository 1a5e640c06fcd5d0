/** Where windows come to the client of the main process: every message is looked at here, and what goes back is sealed here. */
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { CoreClient } from '../../client/client'
import type { ClientEvents } from '../../client/events'
import { ConfigurationError } from '../../foundation/errors'
import { type Answer, CHANNELS, EVENTS } from '../contract'
import { makeCall, toOurs } from './calls'
import { seal } from './crossing'
import { createGuests, type Guest, type Guests } from './guests'
import { type Presence, watchPresence } from './presence'
import { WindowMemory } from './window-memory'
import { admit, admitted, type WindowRule } from './windows'

interface Desk {
  client: CoreClient
  rules: readonly WindowRule[]
  guests: Guests
  presence: Presence
}

/** The result closes it. @throws ConfigurationError `unsupported` for a second client with windows in one app. */
export function openDoor(client: CoreClient, rules: readonly WindowRule[]): () => void {
  const guests = createGuests(rules)
  const onCancel = (event: IpcMainEvent, id: unknown) => {
    // An error that is thrown in a listener ends in a dialog of Electron's.
    if (typeof id === 'string' && admitted(() => event, rules)) guests.find(event.sender)?.memory.cancel(id)
  }
  try {
    ipcMain.handle(CHANNELS.call, (event, text: unknown) => answer(desk, event, text))
  } catch (error) {
    throw new ConfigurationError('unsupported', 'a second client with windows', { cause: error })
  }
  ipcMain.on(CHANNELS.cancel, onCancel)
  // Who is signed in goes first: events are about it.
  const presence = watchPresence(client, () => guests.tellAll((sealing) => ({ kind: 'presence', presence: presence.print(sealing) })))
  const desk: Desk = { client, rules, guests, presence }
  const undo = forwardEvents(client, guests)
  return () => {
    ipcMain.removeHandler(CHANNELS.call)
    ipcMain.off(CHANNELS.cancel, onCancel)
    presence.close()
    for (const step of undo) step()
    guests.close()
  }
}

/** Always resolves: an error that is thrown through IPC loses its class, and keeps its stack. */
async function answer({ client, rules, guests, presence }: Desk, event: IpcMainInvokeEvent, text: unknown): Promise<string> {
  try {
    admit(event, rules)
    const guest = guests.welcome(event.sender)
    const callBack = (id: string, args: readonly unknown[]) =>
      guests.tell(guest, (sealing) => ({ kind: 'callback', id, args: seal(args, sealing) }))
    const outcome = await makeCall(text, { client, guest, callBack })
    // Asked again: the window may have gone elsewhere while the call was made.
    const sealing = { ...admit(event, rules), memory: guest.memory }
    const whole = { ...sealing, session: client.session }
    const news = newsFor(guest, presence) ? { presence: presence.print(sealing) } : {}
    return print('error' in outcome ? { ...news, error: seal(outcome.error, whole) } : { ...news, value: seal(outcome.value, whole) })
  } catch (error) {
    return print({ error: seal(toOurs(error), { memory: new WindowMemory(), tokens: false }) })
  }
}

const print = (message: Answer): string => JSON.stringify(message)

/** Whether something has changed since the last answer to this page. */
function newsFor(guest: Guest, presence: Presence): boolean {
  const sequence = presence.sequence()
  const isNews = guest.answered < sequence
  guest.answered = sequence
  return isNews
}

function forwardEvents(client: CoreClient, guests: Guests): (() => void)[] {
  const names = Object.keys(EVENTS).filter(isEvent)
  return names
    .filter((name) => EVENTS[name])
    .map((name) =>
      // With its session whole: an answer that says who is signed in since may overtake it.
      client.subscribe(name, (data: unknown) => guests.tellAll((sealing) => ({ kind: 'event', name, data: seal(data, sealing) }))),
    )
}

function isEvent(name: string): name is keyof ClientEvents {
  return name in EVENTS
}
