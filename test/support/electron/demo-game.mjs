/** The demo's main process as it was built, and the socket through which a test looks in. */
import process from 'node:process'
import { BrowserWindow } from 'electron'
import { listen } from './game.mjs'

// Copied beside this file once it is built.
await import(new URL('main-of-demo.mjs', import.meta.url).href)

const look = () => {
  const windows = BrowserWindow.getAllWindows()
  if (windows[0]?.loaded) listen(JSON.parse(process.env['GAME']).control, { windows })
  else setImmediate(look)
}
look()
