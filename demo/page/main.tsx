/** Draws the panels of the page. */
import { signal } from '@preact/signals'
import { render } from 'preact'
import { drawPanels, loadScreens, type Panels } from './draw-panels'
import { clearIfRequested } from './foundation/clear-stored-data'
import { createContext, connectWorkbench } from './context/demo-context'
import { loadPreset } from './game/preset'
import { ActivityLine } from './panels/activity-line'
import { CommandsPanel } from './panels/commands-panel'
import { ConnectionNotice } from './panels/connection-notice'
import { ServiceSummary } from './panels/service-summary'
import { PaneTabs } from './panels/pane-tabs'
import { ArgumentsPanel } from './panels/arguments-panel'
import { TabsPanel } from './panels/tabs-panel'
import { RequestPanel } from './panels/request-panel'
import { SessionPanel } from './panels/session-panel'
import { LifecyclePanel } from './panels/lifecycle-panel'
import { SignInPanel } from './panels/sign-in-panel'
import { StorePanel } from './panels/store-panel'
import { RunPanel } from './panels/run-panel'
import { SettingsButton, SettingsDialog } from './panels/settings-dialog'
import { byId } from './foundation/by-id'
import { applyLook } from './ui/look-choices'
import { applyTheme, ThemeSwitch } from './ui/theme-switch'
import { listenToKeys } from './listen-to-keys'
import { followAddress } from './follow-address'

/** Panels that are there from the start: those of the sign-in, and the notice above every screen. The commands load their editor themselves. */
const PANELS: Panels = {
  connection: ConnectionNotice,
  activity: ActivityLine,
  'sign-in': SignInPanel,
  panes: PaneTabs,
  steps: RunPanel,
  session: SessionPanel,
  life: LifecyclePanel,
  store: StorePanel,
  tabs: TabsPanel,
  'service-summary': ServiceSummary,
  arguments: ArgumentsPanel,
  request: RequestPanel,
  'commands-panel': CommandsPanel,
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

async function start(): Promise<void> {
  await clearIfRequested()
  drawSettings()
  const context = createContext(await loadPreset())
  const { signIn, sessionLog } = context
  drawPanels(PANELS, context)
  void loadScreens(context).then(() => byId('page').removeAttribute('aria-busy'))
  followAddress(context.address)
  listenToKeys(context, () => (areSettingsOpen.value = true))
  await signIn.resume()
  context.address.read()
  connectWorkbench(context)
  await sessionLog.restore()
}

void start()
