/** `foyer-emulator start`: runs until it receives a signal. */
import { once } from 'node:events'
import type { LoggedRequest } from '../../api/request/request-log.js'
import { banner, jsonLine, NETWORK_WARNING, serve, startProgram } from './serve.js'
import type { ServeOptions } from './read-arguments.js'
import { requestLine } from './request-line.js'

interface Start {
  options: ServeOptions
  json: boolean
  quiet: boolean
  version: string
}

export async function start({ options, json, quiet, version }: Start): Promise<number> {
  const stop = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const { localProgram, ...served } = options
  const emulator = await serve(served, {
    onNotice: printNotice,
    ...(quiet ? {} : { onRequest: printRequest }),
  })
  const program = await startProgram(emulator, localProgram).catch(async (error: unknown) => {
    // An emulator that listens on keeps the process, and nobody knows its address.
    await emulator.close()
    throw error
  })
  process.stdout.write(
    `${json ? jsonLine(emulator) : banner(emulator, { version, colour: isColoured(process.stdout) })}\n`,
  )
  for (const [name, value] of Object.entries(program)) printNotice(`${name}=${value}`)
  if (json && emulator.networkUrls.length > 0) printNotice(NETWORK_WARNING)
  await stop
  await emulator.close()
  return 0
}

/** Written to stderr, so that stdout contains only the requested output. The emulator's own pages would hide those of a game. */
function printRequest(request: LoggedRequest): void {
  if (request.ownPage === true && request.status < 400) return
  process.stderr.write(`${requestLine(request, { colour: isColoured(process.stderr) })}\n`)
}

function printNotice(notice: string): void {
  process.stderr.write(`foyer-emulator: ${notice}\n`)
}

function isColoured({ isTTY }: { isTTY?: boolean }): boolean {
  return isTTY === true && (process.env['NO_COLOR'] ?? '') === ''
}
