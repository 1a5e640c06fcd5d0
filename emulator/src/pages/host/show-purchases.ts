/** Purchases of a player in the tile of the host page: what the player owns, with buttons to buy, give, refund and cancel. */
import type { ShownPurchase } from '../../service/activity/activity-service.js'
import { element, find } from './host-elements.js'

const WORDS: Readonly<Record<ShownPurchase['state'], string>> = {
  owned: 'owned',
  consumed: 'consumed',
  renews: 'renews every 30 days',
  ends: 'canceled, ends with its period',
  ended: 'ended',
}

interface Emulator {
  /** Path of the host page. */
  base: string
  post: (path: string, body: object) => Promise<Response>
}

/** Reads the purchases anew when the list is opened, and after each change. */
export function watchPurchases(tile: HTMLElement, player: string, { base, post }: Emulator): void {
  const details = find(tile, '.purchases')
  const list = find(tile, '.owned')
  const change = async (path: string, body: object): Promise<void> => {
    const answer = await post(path, body)
    const problem: { message?: string } = answer.ok ? {} : await answer.json()
    await show(problem.message)
  }
  const show = async (problem = ''): Promise<void> => {
    const answer = await fetch(`${base}purchases?as=${player}`)
    if (!answer.ok) return
    const purchases: ShownPurchase[] = await answer.json()
    list.replaceChildren(...(problem === '' ? [] : [element('li', { textContent: problem, role: 'alert' })]))
    for (const purchase of purchases) list.append(lineOf(purchase, change))
    if (purchases.length === 0) list.append(element('li', { textContent: 'Nothing yet.' }))
  }
  details.addEventListener('toggle', () => void show())
  find(tile, '.shop').addEventListener('submit', (event) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const { sku, giver } = Object.fromEntries(new FormData(event.currentTarget))
    void change('purchases', { as: player, sku, giver })
  })
}

function lineOf(
  { id, name, state, giver }: ShownPurchase,
  change: (path: string, body: object) => Promise<void>,
): HTMLElement {
  const line = element('li')
  const words = [WORDS[state], ...(giver === null ? [] : [`a gift of ${giver}`])].join(', ')
  line.append(element('span', { textContent: `${name}: ${words}` }))
  const add = (label: string, path: string): void => {
    const button = element('button', { type: 'button', textContent: label })
    button.setAttribute('aria-label', `${label}: ${name}`)
    button.addEventListener('click', () => void change(path, { entitlement: id }))
    line.append(button)
  }
  if (state === 'renews') add('Cancel', 'cancellations')
  add('Refund', 'refunds')
  return line
}
