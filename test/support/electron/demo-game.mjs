/** The built main process of the demo, with the socket through which a test controls it. */
import process from 'node:process'
import { BrowserWindow } from 'electron'
import { listen } from './game.mjs'

// Copied beside this file after the build.
await import(new URL('main-of-demo.mjs', import.meta.url).href)

const look = () => {
  const windows = BrowserWindow.getAllWindows()
  if (windows[0]?.loaded) listen(JSON.parse(process.env['GAME']).control, { windows })
  else setImmediate(look)
}
look()
