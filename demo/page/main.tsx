/** Draws the panels of the page. */
import { signal } from '@preact/signals'
import { render } from 'preact'
import { drawPanels, loadScreens, type Panels } from './draw-panels'
import { clearIfRequested } from './clear-stored-data'
import { createContext, type Mount, connectWorkbench } from './panel-context'
import { loadPreset } from './game/emulator-preset'
import { mountConnection } from './panels/connection-notice'
import { mountActivity } from './panels/activity-panel'
import { mountApplicationLobbies } from './panels/load-application-lobbies'
import { ArgumentsPanel } from './panels/sign-in-arguments-form'
import { mountCommands } from './panels/load-commands-studio'
import { mountLimits } from './panels/rate-limits-panel'
import { mountServiceLimits } from './panels/service-limits-panel'
import { mountLinkedChannel } from './panels/linked-channel-panel'
import { mountLobbySecret } from './panels/lobby-secret-field'
import { TabsPanel } from './panels/open-tabs-panel'
import { mountMetadataConflict } from './panels/metadata-conflict-panel'
import { mountPlayer } from './panels/player-sign-in-and-lobby-panel'
import { RequestPanel } from './panels/authorize-url-and-example-code-panel'
import { mountSavedServices } from './panels/saved-services-panel'
import { mountService } from './panels/service-settings-form'
import { mountServiceSummary } from './panels/service-summary'
import { SessionPanel } from './panels/session-panel'
import { LifecyclePanel } from './panels/session-lifecycle-panel'
import { SignInPanel } from './panels/sign-in-button'
import { StepsPanel } from './panels/sign-in-timeline-panel'
import { SettingsButton, SettingsDialog } from './panels/settings-dialog'
import { byId } from './by-id'
import { applyLook } from './ui/look-settings'
import { applyTheme, ThemeSwitch } from './ui/theme-switch'
import { listenToKeys } from './keyboard-shortcuts'
import { followAddress } from './switch-screens'

/** Panels that are there from the start: those of the sign-in. */
const PANELS: Panels = {
  'sign-in': SignInPanel,
  steps: StepsPanel,
  session: SessionPanel,
  life: LifecyclePanel,
  tabs: TabsPanel,
  arguments: ArgumentsPanel,
  request: RequestPanel,
}

/** Panels that fill an element themselves, by its id. */
const MOUNTS: Record<string, Mount> = {
  'service-summary': mountServiceSummary,
  services: mountSavedServices,
  'service-settings': mountService,
  connection: mountConnection,
  activity: mountActivity,
  'commands-panel': mountCommands,
  meeting: mountLobbySecret,
  'slot-left': mountPlayer(0, 'First player'),
  'slot-right': mountPlayer(1, 'Second player'),
  conflict: mountMetadataConflict,
  lobbies: mountApplicationLobbies,
  channel: mountLinkedChannel,
  limits: mountLimits,
  'service-limits': mountServiceLimits,
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
  const { signIn, steps, sessionLog } = context
  for (const [id, mount] of Object.entries(MOUNTS)) mount(byId(id), context)
  drawPanels(PANELS, context)
  void loadScreens(context).then(() => byId('page').removeAttribute('aria-busy'))
  followAddress(context.address)
  listenToKeys(context, () => (areSettingsOpen.value = true))
  // A redirect discards the page's memory; the steps so far are saved in the tab's storage.
  window.addEventListener('pagehide', () => {
    if (signIn.progress.value.phase === 'waiting') steps.saveForRedirect()
  })
  await signIn.resume()
  context.address.read()
  connectWorkbench(context)
  await sessionLog.restore()
}

void start()
