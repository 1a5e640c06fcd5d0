/** An emulator for each test, a backend that verifies, and a bot that registers commands. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, expect } from 'vitest'
import { serveBackend, type Backend, type BackendOptions, type Received, type Reply } from './backend'

interface Call {
  body?: unknown
  authorization?: string
}

/** Registers the hooks of the calling file. */
export function useInteractions() {
  const file = {
    /** New for each test. */
    emulator: undefined as unknown as Emulator,
    backend: undefined as Backend | undefined,
    /** Starts a backend, and connects the emulator to it. */
    async connect(
      reply: (interaction: Received) => Reply | Promise<Reply>,
      options?: BackendOptions,
    ): Promise<Backend> {
      file.backend = await serveBackend(file.emulator, reply, options)
      await file.emulator.interactions.connect(file.backend.url)
      return file.backend
    },
    api(method: string, path: string, { body, authorization }: Call = {}): Promise<Response> {
      return fetch(`${file.emulator.url}/api/v10${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(authorization === undefined ? {} : { authorization }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    },
    /** Sends a request of the application’s bot; the path continues after the application ID. */
    bot(method: string, path: string, body?: unknown): Promise<Response> {
      const authorization = `Bot ${file.emulator.application.botToken}`
      return file.api(method, `/applications/${file.emulator.application.id}${path}`, { body, authorization })
    },
    async register(
      definition: Record<string, unknown>,
      guild = '',
    ): Promise<{ id: string; version: string }> {
      const response = await file.bot(
        'POST',
        `${guild === '' ? '' : `/guilds/${guild}`}/commands`,
        definition,
      )
      expect(response.status).toBe(201)
      return (await response.json()) as { id: string; version: string }
    },
  }
  beforeEach(async () => {
    file.emulator = await createEmulator({ commands: { globalDelay: 0 } })
  })
  afterEach(async () => {
    await file.emulator.close()
    await file.backend?.close()
    file.backend = undefined
  })
  return file
}

export const tavern = '319560327719026709'
export const general = '319562910281203745'
export const bruno = '211842960158326785'
export const greet = { name: 'greet', description: 'Say hello' }
export const hello: Reply = { type: 4, data: { content: 'hello' } }
