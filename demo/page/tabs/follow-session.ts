/** Reports the session of this tab to the other tabs: its state, and which tab requested its last tokens. */
import { onChange } from '../foundation/on-change'
import type { DemoContext } from '../context/demo-context'
import { storeLabel } from '../game/token-store-option'
import { everySecond } from '../foundation/every-second'
import { OpenTabs } from './open-tabs'

/** Undefined if the browser has no Web Locks or no BroadcastChannel. */
export function followSession(context: DemoContext, profile: string): OpenTabs | undefined {
  if (!('locks' in navigator) || typeof BroadcastChannel !== 'function') return undefined
  const { sessionLog, storeKind, connection, signIn } = context
  const tabs = new OpenTabs(profile)
  const report = () => tabs.change({ session: sessionLog.session?.state ?? '', store: storeLabel(storeKind.value) })
  connection.subscribe(({ client }) => {
    client?.on('tokenRefreshed', ({ elsewhere }) => {
      const refreshes = tabs.own.refreshes + (elsewhere ? 0 : 1)
      tabs.change({ refreshes, renewedAt: Date.now(), isElsewhere: elsewhere })
    })
  })
  tabs.onCall = () => {
    if (sessionLog.session) void sessionLog.callApi()
  }
  for (const changed of [sessionLog.revision, storeKind]) changed.subscribe(report)
  onChange(signIn.player, report)
  everySecond(() => void tabs.prune())
  return tabs
}
