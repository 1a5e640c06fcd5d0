/** `foyer-emulator start`: runs until a signal asks it to stop. */
import { once } from 'node:events'
import { banner, jsonLine } from './announce.js'
import type { ServeOptions } from './arguments.js'
import { serve } from './serve.js'

interface Start {
  options: ServeOptions
  json: boolean
  version: string
}

export async function start({ options, json, version }: Start): Promise<number> {
  const stop = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const emulator = await serve(options)
  const colour = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
  process.stdout.write(`${json ? jsonLine(emulator) : banner(emulator, { version, colour })}\n`)
  await stop
  await emulator.close()
  return 0
}
