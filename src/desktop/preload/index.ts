/** Preload script of game windows: exposes one frozen object with three functions, and nothing of Electron. */
import { contextBridge, ipcRenderer } from 'electron'
import { type Bridge, BRIDGE, CHANNELS } from '../contract/ipc-contract'

// Without context isolation, the page could access `ipcRenderer`.
if (!process.contextIsolated)
  throw new Error('unsupported: contextIsolation is off: remove it from webPreferences')

const bridge: Bridge = {
  call: (text) => ipcRenderer.invoke(CHANNELS.call, text),
  cancel: (id) => ipcRenderer.send(CHANNELS.cancel, id),
  listen(listener) {
    const onNotice = (_event: unknown, text: string) => listener(text)
    ipcRenderer.on(CHANNELS.notify, onNotice)
    return () => ipcRenderer.off(CHANNELS.notify, onNotice)
  },
}

contextBridge.exposeInMainWorld(BRIDGE, Object.freeze(bridge))
