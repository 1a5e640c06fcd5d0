/** Exchange screen: each message of a sign-in with its response and the SDK's checks, and a sequence diagram of all. */
import { type Exchange, type Field, isFailed, outcome, title } from '../exchange/exchange'
import { toCurl, toHar, toMermaid, toSdkCode, toTest } from '../exchange/export-exchanges'
import type { Mount } from '../panel-context'
import { copyButton } from '../ui/copy-button'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { maskedValue } from '../ui/masked-table-value'
import { panel } from '../ui/panel'
import { checkList } from './response-check-results'
import { sequenceDiagram } from './sequence-diagram'

const KINDS = { authorize: 'Authorize request', callback: 'Callback', request: 'Request' }

export const mountExchanges: Mount = (element, { exchanges }) => {
  const { body, tools } = panel(element, 'Exchanges', [
    'Everything that was sent and received, as the SDK sent it. Codes and tokens are masked, and exports leave them out.',
  ])
  const har = copyButton({ what: 'all exchanges as HAR', label: 'HAR', text: () => toHar(exchanges.list.value) })
  const clear = h('button', { type: 'button', class: 'quiet', onclick: () => exchanges.clear() }, ['Clear'])
  tools.append(har, clear)
  const empty = h('p', { class: 'empty' }, ['Nothing was sent yet. Sign in, and every request appears here with its response.'])
  const list = h('ol', { class: 'exchanges', 'aria-label': 'Exchanges' })
  body.append(empty, list)
  let drawn: readonly Exchange[] = []
  exchanges.list.watch((all) => {
    empty.hidden = all.length > 0
    for (const button of [har, clear]) button.hidden = all.length === 0
    draw(list, drawn, all)
    drawn = all
  })
}

export const mountSequence: Mount = (element, { exchanges }) => {
  const { body, tools } = panel(element, 'Sequence')
  const copy = copyButton({ what: 'the diagram as Mermaid', label: 'Mermaid', text: () => toMermaid(exchanges.list.value) })
  tools.append(copy)
  exchanges.list.watch((all) => {
    copy.hidden = all.length === 0
    body.replaceChildren(
      all.length === 0
        ? h('p', { class: 'empty' }, ['The messages between game, browser and service are drawn here.'])
        : sequenceDiagram(all),
    )
  })
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
  const { duration } = exchange
  return h('li', { class: failed ? 'exchange exchange-failed' : 'exchange' }, [
    h('details', { open: isOpen || failed }, [
      h('summary', {}, [
        icon(failed ? 'cross' : 'arrow'),
        failed && h('span', { class: 'visually-hidden' }, ['Failed: ']),
        h('strong', {}, [title(exchange)]),
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
    checks.length > 0 && checkList(checks),
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

function fieldValue({ name, value, isSecret }: Field): HTMLElement {
  return isSecret ? maskedValue(name, value) : h('code', {}, [value])
}
