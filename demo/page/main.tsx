/** Starts the page: its look, its panels, and the sign-in that a redirect left. */
import { signal } from '@preact/signals'
import { render } from 'preact'
import { createContext, connectWorkbench } from './context/demo-context'
import { byId } from './foundation/by-id'
import { clearIfRequested } from './foundation/clear-stored-data'
import { followAddress } from './frame/follow-address'
import { listenToKeys } from './frame/listen-to-keys'
import { applyLook, SettingsButton, SettingsDialog } from './frame/settings-dialog'
import { applyTheme, ThemeSwitch } from './frame/theme-switch'
import { loadPreset } from './game/preset'
import { drawFirstPanels, loadScreens } from './screens'

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
  drawFirstPanels(context)
  void loadScreens(context).then(() => byId('page').removeAttribute('aria-busy'))
  followAddress(context.address)
  listenToKeys(context, () => (areSettingsOpen.value = true))
  await signIn.resume()
  context.address.read()
  connectWorkbench(context)
  await sessionLog.restore()
}

void start()
