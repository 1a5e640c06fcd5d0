/** Tells chat pages of changes by WebSocket. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { foreignRule } from '../api/refuse-foreign.js'
import { acceptPushSocket } from '../foundation/push-socket.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import { CHANGES_PATH } from '../chat/create-chat.js'
import type { ChangeNotifier } from '../chat/change-notifier.js'

/** Refuses pages of other origins and all other paths. */
export function createChangeSocket({ hosts }: EmulatorContext, notifier: ChangeNotifier) {
  return (request: IncomingMessage, socket: Duplex): void => {
    if (request.url !== CHANGES_PATH || foreignRule(request, { hosts }) !== undefined) return void socket.destroy()
    const pushed = acceptPushSocket(request, socket, () => undo())
    const undo = notifier.subscribe(() => pushed?.send('change'))
  }
}
