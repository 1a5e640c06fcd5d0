/** The preload script of a game's windows: shows the page one frozen object of three functions, and nothing of Electron. */
import { contextBridge, ipcRenderer } from 'electron'
import { type Bridge, BRIDGE, CHANNELS } from '../contract'

// Without isolation the page shares this script's world, and could take `ipcRenderer` from it.
if (!process.contextIsolated) throw new Error('unsupported: contextIsolation is off in this window')

const bridge: Bridge = {
  call: (text) => ipcRenderer.invoke(CHANNELS.call, text),
  cancel: (id) => ipcRenderer.send(CHANNELS.cancel, id),
  listen(listener) {
    const onTell = (_event: unknown, text: string) => listener(text)
    ipcRenderer.on(CHANNELS.tell, onTell)
    return () => ipcRenderer.off(CHANNELS.tell, onTell)
  },
}

contextBridge.exposeInMainWorld(BRIDGE, Object.freeze(bridge))
