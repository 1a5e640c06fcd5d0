/** Exchange screen: each message of a sign-in with its response and the SDK's checks, and a sequence diagram of all. */
import { onChange } from '../on-change'
import { type Exchange, type Field, isFailed, matches, outcome, title } from '../exchange/http-exchange-fields'
import { toCurl, toHar, toSdkCode, toTest } from '../exchange/export-exchanges'
import { toArrows, toMermaid } from '../exchange/sequence-arrows'
import type { PageAddress } from '../page-address'
import type { Mount } from '../panel-context'
import { copyButton } from '../ui/copy-button'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { MaskedValue } from '../ui/masked-table-value'
import { toElement } from '../ui/to-element'
import { panel } from '../ui/panel'
import { CheckList } from './response-check-results'
import { sequenceDiagram } from './sequence-diagram'

const KINDS = { authorize: 'Authorize request', callback: 'Callback', request: 'Request' }

export const mountExchanges: Mount = (element, { exchanges, address }) => {
  const { body, tools } = panel(element, 'Exchanges', [
    'Everything that was sent and received, as the SDK sent it. Codes and tokens are masked, and exports leave them out.',
  ])
  const har = copyButton({ what: 'all exchanges as HAR', label: 'HAR', text: () => toHar(exchanges.list.value) })
  const clear = h('button', { type: 'button', class: 'quiet', onclick: () => exchanges.clear() }, ['Clear'])
  tools.append(har, clear)
  const empty = h('p', { class: 'empty' }, ['Nothing was sent yet. Sign in, and every request appears here with its response.'])
  const list = h('ol', { class: 'exchanges', 'aria-label': 'Exchanges' })
  const filter = exchangeFilter(address)
  body.append(filter.element, empty, list)
  let drawn: readonly Exchange[] = []
  const show = () => {
    filter.show(drawn, list)
    showSelected(list, drawn, address)
  }
  exchanges.list.subscribe((all) => {
    empty.hidden = all.length > 0
    for (const one of [har, clear, filter.element]) one.hidden = all.length === 0
    draw(list, drawn, all)
    drawn = all
    show()
  })
  onChange(address.current, show)
  list.addEventListener('toggle', (event) => select(event.target, address), { capture: true })
}

/** Fields that limit the list. The address of the page contains them. */
function exchangeFilter(address: PageAddress): { element: HTMLElement; show: (all: readonly Exchange[], list: HTMLElement) => void } {
  const text = h('input', {
    id: 'exchange-filter',
    type: 'search',
    autocomplete: 'off',
    placeholder: 'token 400',
    oninput: () => address.change({ filter: text.value.trim() }),
  })
  const failed = h('input', {
    type: 'checkbox',
    id: 'exchange-failed',
    onchange: () => address.change({ failed: failed.checked ? 'only' : undefined }),
  })
  const count = h('p', { class: 'hint', role: 'status' })
  const element = h('div', { class: 'exchange-filter' }, [
    h('div', { class: 'field' }, [h('label', { for: 'exchange-filter' }, ['Show those with']), text]),
    h('label', { class: 'check' }, [failed, 'Failed only']),
    count,
  ])
  return {
    element,
    show(all, list) {
      const { screen, parameters } = address.current.value
      if (screen !== 'exchange') return
      const { filter = '' } = parameters
      if (text.value.trim() !== filter) text.value = filter
      failed.checked = parameters['failed'] !== undefined
      const shown = all.map((exchange) => matches(exchange, filter) && (!failed.checked || isFailed(exchange)))
      for (const [index, item] of [...list.children].entries()) item.toggleAttribute('hidden', !shown[index])
      const number = shown.filter(Boolean).length
      count.textContent = number === all.length ? '' : `${number} of ${all.length} shown.`
    },
  }
}

/** Adds the exchange that was opened to the address, or removes the one that was closed. */
function select(target: EventTarget | null, address: PageAddress): void {
  const item = target instanceof HTMLDetailsElement && target.matches('.exchange > details') ? target.parentElement : undefined
  if (!item || !(target instanceof HTMLDetailsElement) || address.current.value.screen !== 'exchange') return
  const { id } = item.dataset
  const isSelected = address.current.value.parameters['request'] === id
  if (target.open && !target.hasAttribute('data-restored')) address.change({ request: id })
  else if (!target.open && isSelected) address.change({ request: undefined })
  target.removeAttribute('data-restored')
}

/** Opens the exchange of the address, once for each address. */
function showSelected(list: HTMLElement, all: readonly Exchange[], address: PageAddress): void {
  const { screen, parameters } = address.current.value
  const { request = '' } = parameters
  if (screen !== 'exchange' || list.dataset['selected'] === request) return
  if (request === '') return void delete list.dataset['selected']
  const shown = list.children[all.findIndex(({ id }) => String(id) === request)]?.querySelector('details')
  if (!shown) return
  list.dataset['selected'] = request
  if (shown.open) return
  shown.open = true
  shown.scrollIntoView({ block: 'nearest' })
}

export const mountSequence: Mount = (element, { exchanges, address }) => {
  const { body, tools } = panel(element, 'Sequence', [
    'Calls of the game, messages and checks, in the order in which they happened. Select an arrow for its details.',
  ])
  const arrows = () => toArrows(exchanges.list.value, exchanges.calls.value)
  const copy = copyButton({ what: 'the diagram as Mermaid', label: 'Mermaid', text: () => toMermaid(arrows()) })
  tools.append(copy)
  const show = () => {
    const all = arrows()
    copy.hidden = all.length === 0
    const wasOpen = body.querySelector('details')?.open ?? false
    body.replaceChildren(
      all.length === 0
        ? h('p', { class: 'empty' }, ['The messages between game, SDK, browser and service are drawn here.'])
        : sequenceDiagram(all, { isListOpen: wasOpen, onSelect: (id) => openExchange(id, address) }),
    )
  }
  exchanges.list.subscribe(show)
  onChange(exchanges.calls, show)
}

/** Opens the details of an exchange, and moves the focus there. */
function openExchange(id: number, address: PageAddress): void {
  address.change({ request: String(id), filter: undefined, failed: undefined })
  const shown = document.querySelector<HTMLDetailsElement>(`.exchange[data-id="${id}"] > details`)
  if (!shown) return
  shown.open = true
  shown.querySelector('summary')?.focus()
}

/** Renders only changed exchanges, so that an open one stays open and keeps the focus. */
function draw(list: HTMLElement, drawn: readonly Exchange[], all: readonly Exchange[]): void {
  if (all.length < drawn.length || all[0]?.id !== drawn[0]?.id) list.replaceChildren()
  for (const [index, exchange] of all.entries()) {
    const old = list.children[index]
    if (old && drawn[index] === exchange) continue
    const item = exchangeItem(exchange, old?.querySelector('details')?.open ?? false)
    if (old) old.replaceWith(item)
    else list.append(item)
  }
}

function exchangeItem(exchange: Exchange, isOpen: boolean): HTMLElement {
  const failed = isFailed(exchange)
  const { duration, sender, id } = exchange
  return h('li', { class: failed ? 'exchange exchange-failed' : 'exchange', 'data-id': id }, [
    h('details', { open: isOpen || failed, 'data-restored': isOpen || failed }, [
      h('summary', {}, [
        icon(failed ? 'cross' : 'arrow'),
        failed && h('span', { class: 'visually-hidden' }, ['Failed: ']),
        h('strong', {}, [title(exchange)]),
        sender !== undefined && h('span', { class: 'tag' }, [sender]),
        h('span', { class: 'exchange-outcome' }, [outcome(exchange)]),
        h('span', { class: 'ms' }, [duration === undefined ? '' : `${duration} ms`]),
      ]),
      details(exchange),
    ]),
  ])
}

function details(exchange: Exchange): HTMLElement {
  const { kind, url, query, headers, body, response, checks } = exchange
  return h('div', { class: 'exchange-details' }, [
    h('h3', {}, [KINDS[kind]]),
    h('p', {}, [h('code', {}, [url])]),
    fieldTable('Parameters', query),
    fieldTable('Headers', headers),
    fieldTable('Body', body),
    response && h('h3', {}, [`Response ${outcome(exchange)}`]),
    response && fieldTable('Headers that the browser shows to the page', response.headers),
    response && fieldTable('Body', response.body),
    checks.length > 0 && h('h3', {}, ['Checks of the SDK']),
    checks.length > 0 && toElement(CheckList, { checks }),
    h('div', { class: 'buttons' }, [
      kind !== 'callback' && copyButton({ what: 'the request as cURL', label: 'cURL', text: () => toCurl(exchange) }),
      copyButton({ what: 'the call of the SDK', label: 'SDK code', text: () => toSdkCode(exchange) }),
      kind === 'request' && copyButton({ what: 'the request as a test', label: 'Test', text: () => toTest(exchange) }),
    ]),
  ])
}

function fieldTable(caption: string, fields: readonly Field[]): HTMLElement | false {
  if (fields.length === 0) return false
  return h('table', { class: 'fields' }, [
    h('caption', {}, [caption]),
    h(
      'tbody',
      {},
      fields.map((field) => h('tr', {}, [h('th', { scope: 'row' }, [field.name || 'text']), h('td', {}, [fieldValue(field)])])),
    ),
  ])
}

function fieldValue({ name, value, isSecret, isLeftOut }: Field): HTMLElement {
  if (isLeftOut)
    return h('span', { class: 'hint' }, [isSecret ? 'a secret, not kept when the page was left' : 'not kept when the page was left'])
  return isSecret ? toElement(MaskedValue, { name, secret: value }) : h('code', {}, [value])
}
