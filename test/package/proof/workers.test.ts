/** `foyer-sdk/server` in a runtime without Node built-ins, like Workers: bundled alone, and run with web APIs only. */
import { createContext, runInContext } from 'node:vm'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { loads } from '../script-syntax'

const ENTRY = fileURLToPath(new URL('../../../dist/server/index.js', import.meta.url))

async function bundle(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      lib: { entry: ENTRY, name: 'Server', formats: ['iife'] },
      rolldownOptions: { platform: 'neutral', output: { codeSplitting: false } },
    },
  })
  const [result] = Array.isArray(output) ? output : [output]
  const chunk = result && 'output' in result ? result.output[0] : undefined
  if (!chunk) throw new Error('Nothing was bundled.')
  return chunk.code
}

/** Web APIs of a Workers runtime: no `process`, no `Buffer`, no `require`. */
function workerContext(answer: (request: Request) => Response) {
  const web = { crypto, URL, URLSearchParams, Headers, Request, Response, TextEncoder, TextDecoder, ReadableStream, AbortController }
  const timers = { setTimeout: setTimeout.bind(globalThis), clearTimeout: clearTimeout.bind(globalThis), queueMicrotask, performance }
  const fetch = async (...request: ConstructorParameters<typeof Request>) => answer(new Request(...request))
  return createContext({ ...web, ...timers, AbortSignal, DOMException, atob, btoa, fetch })
}

test('the bundle loads no module and runs with web APIs only', async () => {
  const code = await bundle()
  expect(loads(code)).toEqual([])
  const requests: string[] = []
  const context = workerContext((request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`)
    return Response.json({ id: '7', application_id: '1', metadata: {}, members: [] })
  })
  runInContext(code, context)
  expect(runInContext('[typeof process, typeof Buffer, typeof require]', context)).toEqual(['undefined', 'undefined', 'undefined'])
  const outcome: unknown = await runInContext(
    `(async () => {
      const client = new Server.ApplicationClient({
        applicationId: '1', credentials: Server.botToken('t'), service: { host: 'https://service.example' },
      })
      const lobby = await client.lobbies.get('7')
      client.close()
      const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
      const { publicKey, privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
      const handle = Server.createInteractionHandler({ publicKey: hex(await crypto.subtle.exportKey('raw', publicKey)), commands: [] })
      const body = JSON.stringify({ type: 1, id: '1', application_id: '1', token: 't', version: 1 })
      const timestamp = String(Math.floor(Date.now() / 1000))
      const signature = hex(await crypto.subtle.sign('Ed25519', privateKey, new TextEncoder().encode(timestamp + body)))
      const headers = { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp }
      const answer = await handle(new Request('https://game.example/', { method: 'POST', body, headers }))
      return [lobby.id, answer.status, await answer.json()]
    })()`,
    context,
  )
  expect(outcome).toEqual(['7', 200, { type: 1 }])
  expect(requests).toEqual(['GET /api/v10/lobbies/7'])
})

test('a module that loads a Node built-in is found', () => {
  expect(loads("import fs from 'node:fs'")).toEqual(['node:fs'])
})
