/** The module that the manual gives to an existing game: the moves of the other player arrive, and a third one is refused. */
import { compileFunction } from 'node:vm'
import { createEmulator, type Emulator } from 'foyer-emulator'
import * as sdk from 'foyer-sdk'
import ts from 'typescript'
import { expect, onTestFinished, test } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { blocks, pages } from './markdown-pages'

interface Online {
  resume: (moved: Moved) => Promise<boolean>
  enter: (moved: Moved) => Promise<void>
  move: (x: number, z: number) => Promise<void>
  link: () => string | undefined
}
type Moved = (playerId: string, x: number, z: number) => void

/** The module as the page prints it, in the page of this player, whom a friend's link has brought. */
function printedModule(emulator: Emulator, as: string, tokenStore: sdk.TokenStore): Online {
  class Client extends sdk.Client {
    constructor(options: sdk.ClientOptions) {
      const surface = consentSurface(emulator, { as, redirectUri: 'http://127.0.0.1/callback' })
      super({ ...options, surface })
      onTestFinished(() => this.close())
    }
    override takeInvitation() {
      return { secret: 'moon' }
    }
  }
  const page = pages().find(({ path }) => path === 'docs/engines.md')
  const code = blocks({ text: page?.text ?? '' }).find((block) => block.code.includes('type Moved'))?.code
  const { outputText } = ts.transpileModule(code ?? '', {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  })
  const exported = {}
  compileFunction(outputText, ['exports', 'require', 'applicationId', 'service'])(
    exported,
    () => ({ ...sdk, Client, indexedDbStore: () => tokenStore }),
    emulator.application.id,
    { host: emulator.url },
  )
  return exported as Online
}

test('two players see the moves of the other one alone, also after a reload, and a third one is refused', async () => {
  const emulator = await createEmulator({ limits: 'off' })
  onTestFinished(() => emulator.close())
  const [ada, bruno, chiyo] = emulator.users
  const seen: string[] = []
  const moved =
    (name: string): Moved =>
    (id, x, z) =>
      void seen.push(`${name} sees ${id} at ${x} ${z}`)
  const stores = [sdk.memoryStore(), sdk.memoryStore()] as const
  const first = printedModule(emulator, 'ada', stores[0])
  const second = printedModule(emulator, 'bruno', stores[1])
  expect(await first.resume(moved('Ada'))).toBe(false)
  await first.enter(moved('Ada'))
  await second.enter(moved('Bruno'))
  await expect(
    printedModule(emulator, chiyo?.username ?? '', sdk.memoryStore()).enter(moved('Chiyo')),
  ).rejects.toThrow('Two players are here already.')
  await first.move(1, 2)
  await second.move(3, 4)
  await expect
    .poll(() => [...seen].sort(), { timeout: 10_000 })
    .toEqual([`Ada sees ${bruno?.id} at 3 4`, `Bruno sees ${ada?.id} at 1 2`])
  seen.length = 0
  const reloaded = printedModule(emulator, 'bruno', stores[1])
  expect(await reloaded.resume(moved('Bruno'))).toBe(true)
  await first.move(5, 6)
  await expect.poll(() => seen, { timeout: 10_000 }).toContain(`Bruno sees ${ada?.id} at 5 6`)
})
