/** Panel of the open tabs of one player: which of them refreshed the tokens, and which took over the result. */
import { useState } from 'preact/hooks'
import { profileOf } from '../../game/token-store-option'
import { followSession } from './open-tabs'
import type { OpenTabs, TabState } from './open-tabs'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useDemo, useSession } from '../../context/use-demo'

const INTRO =
  'All open tabs of this page with the same profile. They share one session: one tab refreshes it, and the others take over its tokens.'
const ADVICE =
  'With this store each tab has a session of its own. Store the session in local storage or IndexedDB to share it.'

const time = (at: number) => new Date(at).toLocaleTimeString('en-GB')

export function TabsPanel() {
  const context = useDemo()
  const [tabs] = useState(() => followSession(context, profileOf(location.search)))
  return (
    <Panel id="tabs" title="Tabs" intro={INTRO}>
      {tabs ? (
        <Tabs tabs={tabs} />
      ) : (
        <p class="empty">
          This browser has no Web Locks or no BroadcastChannel, so tabs cannot find each other.
        </p>
      )}
    </Panel>
  )
}

function Tabs({ tabs }: { tabs: OpenTabs }) {
  const { storeKind } = useDemo()
  const all = tabs.list.value
  const isShared = storeKind.value !== 'memory' && storeKind.value !== 'tab'
  return (
    <>
      <ol class="tabs-list" aria-label="Open tabs">
        {all.map((tab, index) => (
          <Tab tab={tab} number={index + 1} isOwn={tab.id === tabs.id} key={tab.id} />
        ))}
      </ol>
      <p class="hint" role="status">
        {whoRefreshed(all)}
      </p>
      <p class="hint">{isShared ? '' : ADVICE}</p>
      <TabButtons tabs={tabs} />
    </>
  )
}

function Tab({ tab, number, isOwn }: { tab: TabState; number: number; isOwn: boolean }) {
  const { openedAt, session, store } = tab
  return (
    <li class="tab-item" aria-current={isOwn ? 'true' : undefined}>
      <p>
        <strong>Tab {number}</strong>
        {isOwn && <span class="tag">this one</span>}
        <span class="hint">{`opened ${time(openedAt)}, ${session === '' ? 'signed out' : `${session}, ${store}`}`}</span>
      </p>
      <p class="hint">{renewal(tab)}</p>
    </li>
  )
}

function renewal({
  renewedAt,
  isElsewhere,
  refreshes,
}: Pick<TabState, 'renewedAt' | 'isElsewhere' | 'refreshes'>): string {
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

function TabButtons({ tabs }: { tabs: OpenTabs }) {
  const { sessionLog, faultControls } = useDemo()
  const isSignedOut = useSession() === null
  const expireFirst = async () => {
    await sessionLog.injectFault('expire', 'the service rejects the access token')
    tabs.callInAll()
  }
  return (
    <div class="buttons">
      <a class="button-link" href={location.pathname + location.search} target="_blank" rel="noopener">
        <Icon name="screen" />
        Open another tab
      </a>
      <button type="button" class="secondary" disabled={isSignedOut} onClick={() => tabs.callInAll()}>
        Call the API in all tabs
      </button>
      <button
        type="button"
        class="secondary"
        disabled={isSignedOut}
        hidden={!faultControls()}
        onClick={() => void expireFirst()}
      >
        Expire the token, then call in all tabs
      </button>
    </div>
  )
}
