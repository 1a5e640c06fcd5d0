/** Preload script of the demo: the SDK's, and one function that starts a check of the setup. */
// oxlint-disable-next-line import/no-unassigned-import -- a preload script has no exports.
import 'foyer-sdk/electron/preload'
import { contextBridge, ipcRenderer } from 'electron'
import { SETUP_BRIDGE, SETUP_CHANNEL } from './setup/contract'

contextBridge.exposeInMainWorld(SETUP_BRIDGE, {
  run: (check: unknown) => ipcRenderer.invoke(SETUP_CHANNEL, check),
})
