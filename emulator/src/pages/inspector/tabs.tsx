/** Panels of the inspector below the requests, as tabs. The open one is in the query of the address. */
import { useState } from 'preact/hooks'
import { Clock } from './clock.js'
import { Commands, Deliveries, Limits, Lobbies } from './side-panels.js'
import { Gateway } from './gateway.js'
import type {
  Act,
  GatewayOverview,
  Overview,
  Snapshots as SnapshotList,
  Webhooks,
} from './control/inspector-data.js'
import { Faults } from './faults.js'
import { Guilds } from './guilds.js'
import { Players } from './players.js'
import { Snapshots } from './snapshots.js'
import { focusTab, TabPanels } from '../kit/tab-panels.js'

const NAMES = [
  'players',
  'lobbies',
  'limits',
  'faults',
  'clock',
  'commands',
  'snapshots',
  'deliveries',
  'gateway',
] as const

export type InspectorTab = (typeof NAMES)[number]

/** Everything beside the requests. */
export interface Shown {
  overview: Overview
  snapshots: SnapshotList
  webhooks: Webhooks
  gateway: GatewayOverview
}

/** Returns the open tab, and a function that opens another. */
export function useInspectorTab(): [InspectorTab, (tab: InspectorTab) => void] {
  const [tab, setTab] = useState(readTab)
  const open = (next: InspectorTab) => {
    const query = new URLSearchParams(location.search)
    query.set('tab', next)
    history.replaceState(null, '', `${location.pathname}?${query.toString()}`)
    setTab(next)
  }
  return [tab, open]
}

function readTab(): InspectorTab {
  const wanted = new URLSearchParams(location.search).get('tab')
  return NAMES.find((name) => name === wanted) ?? 'players'
}

/** Brings a tab that is open into view. */
export function showTab(tab: InspectorTab): void {
  focusTab('inspector', tab)
}

interface InspectorTabsProps {
  shown: Shown
  act: Act
  tab: InspectorTab
  open: (tab: InspectorTab) => void
}

export function InspectorTabs({
  shown: { overview, snapshots, webhooks, gateway },
  act,
  tab,
  open,
}: InspectorTabsProps) {
  const { now, frozen, faults, lobbies, players, tokens, guilds, commands, limits } = overview
  const contents = {
    players: <Players players={players} tokens={tokens} now={now} act={act} />,
    lobbies: <Lobbies lobbies={lobbies} now={now} players={players} />,
    limits: <Limits limits={limits} />,
    faults: <Faults faults={faults} act={act} />,
    clock: <Clock now={now} frozen={frozen} act={act} />,
    commands: (
      <>
        <Commands commands={commands} />
        <Guilds guilds={guilds} players={players} now={now} />
      </>
    ),
    snapshots: <Snapshots snapshots={snapshots} act={act} />,
    deliveries: <Deliveries webhooks={webhooks} act={act} />,
    gateway: <Gateway gateway={gateway} now={now} act={act} />,
  }
  const tabs = NAMES.map((id) => ({
    id,
    label: id.charAt(0).toUpperCase() + id.slice(1),
    content: contents[id],
  }))
  return (
    <div class="side">
      <TabPanels
        label="Parts of the emulator"
        name="inspector"
        tabs={tabs}
        selected={tab}
        select={open}
        keepsPanels
      />
    </div>
  )
}
