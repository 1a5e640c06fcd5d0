/** Panels of every screen, by the place in the page that each is drawn into. */
import { type ComponentChildren, type ComponentType, render } from 'preact'
import type { DemoContext } from './context/demo-context'
import { DemoProvider } from './context/use-demo'
import { byId } from './foundation/by-id'
import type { Screen } from './foundation/page-address'
import { ConnectionNotice } from './frame/connection-notice'
import { CommandsPanel } from './screens/commands/commands-panel'
import { ActivityLine } from './screens/sign-in/activity-line'
import { ArgumentsPanel } from './screens/sign-in/arguments-panel'
import { LifecyclePanel } from './screens/sign-in/lifecycle-panel'
import { MessagePanel } from './screens/sign-in/message-panel'
import { PaneTabs } from './screens/sign-in/pane-tabs'
import { RequestPanel } from './screens/sign-in/request-panel'
import { RunPanel } from './screens/sign-in/run-panel'
import { ServiceSummary } from './screens/sign-in/service-summary'
import { SessionPanel } from './screens/sign-in/session-panel'
import { SignInPanel } from './screens/sign-in/sign-in-panel'
import { StorePanel } from './screens/sign-in/store-panel'
import { TabsPanel } from './screens/sign-in/tabs-panel'

/** Panels that are there from the start: those of the sign-in, and the notice above every screen. The commands load their editor themselves. */
const FIRST_PANELS: Readonly<Record<string, ComponentType>> = {
  connection: ConnectionNotice,
  activity: ActivityLine,
  'sign-in': SignInPanel,
  panes: PaneTabs,
  steps: RunPanel,
  message: MessagePanel,
  session: SessionPanel,
  life: LifecyclePanel,
  store: StorePanel,
  tabs: TabsPanel,
  'service-summary': ServiceSummary,
  arguments: ArgumentsPanel,
  request: RequestPanel,
  'commands-panel': CommandsPanel,
}

interface LaterScreen {
  readonly screen: Screen
  /** The place of the first one says so if the code of the screen cannot be loaded. */
  readonly panels: Readonly<Record<string, () => Promise<ComponentType>>>
}

const LATER_SCREENS: readonly LaterScreen[] = [
  {
    screen: 'exchange',
    panels: {
      exchanges: async () => (await import('./screens/exchange/exchanges-panel')).ExchangesPanel,
    },
  },
  {
    screen: 'token',
    panels: { token: async () => (await import('./screens/token/token-panel')).TokenPanel },
  },
  {
    screen: 'doctor',
    panels: { doctor: async () => (await import('./screens/doctor/doctor-panel')).DoctorPanel },
  },
  {
    screen: 'lobby',
    panels: {
      meeting: async () => (await import('./screens/lobby/lobby-secret-panel')).LobbySecretPanel,
      'slot-left': async () => (await import('./screens/lobby/player-panel')).FirstPlayer,
      'slot-right': async () => (await import('./screens/lobby/player-panel')).SecondPlayer,
      conflict: async () => (await import('./screens/lobby/metadata-conflict-panel')).MetadataConflictPanel,
      lobbies: async () =>
        (await import('./screens/lobby/application-lobbies-panel')).ApplicationLobbiesPanel,
      channel: async () => (await import('./screens/lobby/linked-channel-panel')).LinkedChannelPanel,
      limits: async () => (await import('./screens/lobby/limits-panel')).LimitsPanel,
    },
  },
  {
    screen: 'limits',
    panels: {
      'service-limits': async () =>
        (await import('./screens/limits/service-limits-panel')).ServiceLimitsPanel,
    },
  },
  {
    screen: 'service',
    panels: {
      services: async () => (await import('./screens/service/saved-services-panel')).SavedServicesPanel,
      'service-settings': async () =>
        (await import('./screens/service/service-settings-panel')).ServiceSettingsPanel,
      comparison: async () => (await import('./screens/service/comparison-panel')).ComparisonPanel,
      'device-code': async () => (await import('./screens/service/device-code-panel')).DeviceCodePanel,
    },
  },
]

/** Draws what the page begins with. */
export function drawFirstPanels(context: DemoContext): void {
  for (const [place, Panel] of Object.entries(FIRST_PANELS)) drawPanel(place, Panel, context)
}

/** Loads all other screens, so that they open at once, also when the server of the page has stopped. One that failed is tried again when it is opened. */
export async function loadScreens(context: DemoContext): Promise<void> {
  const missing = new Set(LATER_SCREENS)
  const load = async (later: LaterScreen) => {
    try {
      const loaded = await Promise.all(
        Object.entries(later.panels).map(async ([place, panel]) => ({ place, Panel: await panel() })),
      )
      if (missing.delete(later)) for (const { place, Panel } of loaded) drawPanel(place, Panel, context)
    } catch {
      const [first = ''] = Object.keys(later.panels)
      draw(first, <LoadFault />)
    }
  }
  const first = LATER_SCREENS.map(load)
  context.address.current.subscribe(({ screen }) => {
    for (const later of missing) if (later.screen === screen) void load(later)
  })
  await Promise.all(first)
}

function drawPanel(place: string, Panel: ComponentType, context: DemoContext): void {
  draw(
    place,
    <DemoProvider value={context}>
      <Panel />
    </DemoProvider>,
  )
}

function draw(place: string, shown: ComponentChildren): void {
  render(shown, byId(`${place}-place`))
}

function LoadFault() {
  return (
    <p class="fault" role="alert">
      This part could not be loaded. Open the screen again.
    </p>
  )
}
