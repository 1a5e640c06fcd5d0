/** Log of the messages between games and the host, without secrets. */
import { element, find } from './host-elements.js'

/** Lines that stay in the page. */
const CAPACITY = 500
const SECRETS = new Set(['access_token', 'code', 'secret', 'join', 'match', 'ticket'])
let count = 0

/** Message of the Activity's protocol: an operation code and its payload. */
export type RpcMessage = [op: number, payload?: { evt?: string; code?: number; message?: string }]

/** @param direction `→` from the game, `←` to it. */
export function logMessage(player: string, direction: '→' | '←', message: RpcMessage): void {
  const line = element('li', { className: message[1]?.evt === 'ERROR' || message[0] === 2 ? 'refused' : '' })
  const texts = [player, direction, JSON.stringify(message, hideSecrets)]
  line.append(...texts.map((textContent) => element('span', { textContent })))
  const log = find(document, '#log')
  log.append(line)
  if (log.children.length > CAPACITY) log.firstElementChild?.remove()
  count += 1
  find(document, '#count').textContent = String(count)
}

function hideSecrets(key: string, value: unknown): unknown {
  return SECRETS.has(key) && typeof value === 'string' ? '[secret]' : value
}
