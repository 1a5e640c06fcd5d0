/** Ends a backend at the first moment that END_AT names, as a crash does. Loaded before the backend, whose files stay as they are. */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import process from 'node:process'

const files = createRequire(import.meta.url)('node:fs/promises')

function reach(point) {
  if (point === process.env.END_AT) process.kill(process.pid, 'SIGKILL')
}

const send = globalThis.fetch
globalThis.fetch = async (input, init) => {
  const { pathname } = new URL(input)
  const isRead = /\/entitlements(\/\d+)?$/.test(pathname)
  if (isRead) reach('before read')
  const response = await send(input, init)
  if (isRead) reach('after read')
  if (pathname.endsWith('/consume')) reach('after consume')
  return response
}

// The example links a finished file into its place: the claim is before, the grant afterwards.
const { link } = files
files.link = async (...paths) => {
  reach('after claim')
  await link(...paths)
  reach('after grant')
}
syncBuiltinESMExports()
