/** Panel of the open tabs of one player: which of them refreshed the tokens, and which took over the result. */
import { onChange } from '../on-change'
import type { DemoContext, Mount } from '../panel-context'
import type { OpenTabs, TabState } from '../tabs/open-tabs'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'

const time = (at: number) => new Date(at).toLocaleTimeString('en-GB')

export const mountOpenTabs: Mount = (element, context) => {
  const { body } = panel(element, 'Tabs', [
    'All open tabs of this page with the same profile. They share one session: one tab refreshes it, and the others take over its tokens.',
  ])
  const { tabs, storeKind } = context
  if (!tabs) {
    body.append(h('p', { class: 'empty' }, ['This browser has no Web Locks or no BroadcastChannel, so tabs cannot find each other.']))
    return
  }
  const list = h('ol', { class: 'tabs-list', 'aria-label': 'Open tabs' })
  const verdict = h('p', { class: 'hint', role: 'status' })
  const advice = h('p', { class: 'hint' })
  body.append(list, verdict, advice, tabButtons(context, tabs))
  tabs.list.subscribe((all) => {
    list.replaceChildren(...all.map((tab, index) => tabItem(tab, { number: index + 1, isOwn: tab.id === tabs.id })))
    verdict.textContent = whoRefreshed(all)
  })
  storeKind.subscribe((kind) => {
    advice.textContent =
      kind === 'memory' || kind === 'tab'
        ? 'With this store each tab has a session of its own. Store the session in local storage or IndexedDB to share it.'
        : ''
  })
}

function tabItem({ openedAt, session, store, ...tab }: TabState, { number, isOwn }: { number: number; isOwn: boolean }): HTMLElement {
  return h('li', { class: 'tab-item', 'aria-current': isOwn && 'true' }, [
    h('p', {}, [
      h('strong', {}, [`Tab ${number}`]),
      isOwn && h('span', { class: 'tag' }, ['this one']),
      h('span', { class: 'hint' }, [`opened ${time(openedAt)}, ${session === '' ? 'signed out' : `${session}, ${store}`}`]),
    ]),
    h('p', { class: 'hint' }, [renewal(tab)]),
  ])
}

function renewal({ renewedAt, isElsewhere, refreshes }: Pick<TabState, 'renewedAt' | 'isElsewhere' | 'refreshes'>): string {
  if (renewedAt === undefined) return 'No refresh yet.'
  const requests = `${refreshes} ${refreshes === 1 ? 'token request' : 'token requests'} of its own`
  return `${isElsewhere ? 'Took over new tokens' : 'Refreshed'} at ${time(renewedAt)}; ${requests}.`
}

/** Names the tab with the most recent refresh of its own. */
function whoRefreshed(all: readonly TabState[]): string {
  const [latest] = all
    .map((tab, index) => ({ ...tab, number: index + 1 }))
    .filter(({ renewedAt, isElsewhere }) => renewedAt !== undefined && !isElsewhere)
    .toSorted((a, b) => (b.renewedAt ?? 0) - (a.renewedAt ?? 0))
  if (!latest) return ''
  const followers = all.filter(({ id, isElsewhere }) => id !== latest.id && isElsewhere).length
  const others = followers === 1 ? '1 other tab' : `${followers} other tabs`
  return `Last refreshed by tab ${latest.number}${followers === 0 ? '.' : `; ${others} took over its tokens without a request.`}`
}

function tabButtons({ sessionLog, faultControls, service, signIn }: DemoContext, tabs: OpenTabs): HTMLElement {
  const expireFirst = async () => {
    await sessionLog.injectFault('expire', 'the service rejects the access token')
    tabs.callInAll()
  }
  const open = h('a', { class: 'button-link', href: location.pathname + location.search, target: '_blank', rel: 'noopener' }, [
    icon('screen'),
    'Open another tab',
  ])
  const call = h('button', { type: 'button', class: 'secondary', onclick: () => tabs.callInAll() }, ['Call the API in all tabs'])
  const expire = h('button', { type: 'button', class: 'secondary', onclick: () => void expireFirst() }, [
    'Expire the token, then call in all tabs',
  ])
  const show = () => {
    call.disabled = sessionLog.session === null
    expire.disabled = call.disabled
    expire.hidden = !faultControls()
  }
  for (const changed of [signIn.player, sessionLog.revision]) onChange<unknown>(changed, show)
  service.subscribe(show)
  return h('div', { class: 'buttons' }, [open, call, expire])
}
