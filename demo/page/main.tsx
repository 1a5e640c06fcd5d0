/** Draws the panels of the page. */
import { signal } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import { clearIfRequested } from './clear-stored-data'
import { createContext, type DemoContext, type Mount, connectWorkbench } from './panel-context'
import { loadPreset } from './game/emulator-preset'
import { ConnectionNotice } from './panels/connection-notice'
import { ActivityLine } from './panels/activity-panel'
import { ApplicationLobbiesPanel } from './panels/load-application-lobbies'
import { mountArguments } from './panels/sign-in-arguments-form'
import { CommandsPanel } from './panels/load-commands-studio'
import { mountComparison } from './panels/comparison-panel'
import { mountDeviceCode } from './panels/device-code-panel'
import { mountDoctor } from './panels/doctor-panel'
import { mountExchanges, mountSequence } from './panels/exchange-log-and-sequence-panel'
import { LimitsPanel } from './panels/rate-limits-panel'
import { ServiceLimitsPanel } from './panels/service-limits-panel'
import { LinkedChannelPanel } from './panels/linked-channel-panel'
import { LobbySecretPanel } from './panels/lobby-secret-field'
import { mountOpenTabs } from './panels/open-tabs-panel'
import { MetadataConflictPanel } from './panels/metadata-conflict-panel'
import { FirstPlayer, SecondPlayer } from './panels/player-sign-in-and-lobby-panel'
import { mountAuthorizePreview } from './panels/authorize-url-and-example-code-panel'
import { SavedServicesPanel } from './panels/saved-services-panel'
import { ServiceSettingsPanel } from './panels/service-settings-form'
import { ServiceSummary } from './panels/service-summary'
import { SessionPanel } from './panels/session-panel'
import { mountSessionLifecycle } from './panels/session-lifecycle-panel'
import { mountSignIn } from './panels/sign-in-button'
import { StepsPanel } from './panels/sign-in-timeline-panel'
import { SettingsButton, SettingsDialog } from './panels/settings-dialog'
import { byId } from './by-id'
import { applyLook } from './ui/look-settings'
import { applyTheme, ThemeSwitch } from './ui/theme-switch'
import { listenToKeys } from './keyboard-shortcuts'
import { followAddress } from './switch-screens'
import { DemoProvider } from './use-demo'

/** Panels by the name of their place in the page. */
const PANELS: Record<string, ComponentType> = {
  session: SessionPanel,
  steps: StepsPanel,
  connection: ConnectionNotice,
  activity: ActivityLine,
  'service-summary': ServiceSummary,
  services: SavedServicesPanel,
  'service-settings': ServiceSettingsPanel,
  'commands-panel': CommandsPanel,
  meeting: LobbySecretPanel,
  'slot-left': FirstPlayer,
  'slot-right': SecondPlayer,
  conflict: MetadataConflictPanel,
  lobbies: ApplicationLobbiesPanel,
  channel: LinkedChannelPanel,
  limits: LimitsPanel,
  'service-limits': ServiceLimitsPanel,
}

/** Panels that fill an element themselves, by its id. */
const MOUNTS: Record<string, Mount> = {
  'sign-in': mountSignIn,
  life: mountSessionLifecycle,
  tabs: mountOpenTabs,
  comparison: mountComparison,
  'device-code': mountDeviceCode,
  arguments: mountArguments,
  request: mountAuthorizePreview,
  doctor: mountDoctor,
  exchanges: mountExchanges,
  sequence: mountSequence,
}

const areSettingsOpen = signal(false)

function drawSettings(): void {
  applyTheme()
  applyLook()
  render(
    <>
      <ThemeSwitch />
      <SettingsButton isOpen={areSettingsOpen} />
    </>,
    byId('theme'),
  )
  render(<SettingsDialog isOpen={areSettingsOpen} />, byId('settings'))
}

function drawPanels(context: DemoContext): void {
  for (const [name, Panel] of Object.entries(PANELS)) {
    const shown = (
      <DemoProvider value={context}>
        <Panel />
      </DemoProvider>
    )
    render(shown, byId(`${name}-place`))
  }
}

async function start(): Promise<void> {
  await clearIfRequested()
  drawSettings()
  const context = createContext(await loadPreset())
  const { signIn, steps, sessionLog } = context
  for (const [id, mount] of Object.entries(MOUNTS)) mount(byId(id), context)
  drawPanels(context)
  followAddress(context.address)
  listenToKeys(context, () => (areSettingsOpen.value = true))
  // A redirect discards the page's memory; the steps so far are saved in the tab's storage.
  window.addEventListener('pagehide', () => {
    if (signIn.progress.value.phase === 'waiting') steps.saveForRedirect()
  })
  byId('page').removeAttribute('aria-busy')
  await signIn.resume()
  context.address.read()
  connectWorkbench(context)
  await sessionLog.restore()
}

void start()
