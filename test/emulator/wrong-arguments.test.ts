/** A call with an argument of the wrong shape is answered with the call, the field, and an example that works. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInNewContext } from 'node:vm'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { controlCalls, fieldsOf } from '../support/emulator-internals.js'
import { createHostileWorld } from './support/hostile-world.js'

let emulator: Emulator
let world: Awaited<ReturnType<typeof createHostileWorld>>

beforeAll(async () => {
  emulator = await createEmulator({ activityPort: 0 })
  world = await createHostileWorld()
})
afterAll(async () => {
  await emulator.close()
  await world.close()
})

/** What a call by its name leads to: the error, or undefined. */
async function refusalOf(name: string, args: readonly unknown[]): Promise<unknown> {
  const [group, method] = name.includes('.') ? name.split('.') : [undefined, name]
  const owner: object = group === undefined ? emulator : Object(Reflect.get(emulator, group))
  try {
    await Reflect.apply(Object(Reflect.get(owner, method ?? '')), owner, args)
    return undefined
  } catch (error) {
    return error
  }
}

/** The arguments of a call as it is written. */
function argumentsOf(call = ''): unknown[] {
  const [, written = ''] = /^emulator\.[\w.]+\((.*)\)$/.exec(call) ?? []
  // The example is code, as a reader of the error would copy it.
  const read: unknown = runInNewContext(`[${written}]`, { emulator, console })
  return Array.from(Object(read))
}

const misspelt = (value: object) =>
  Object.fromEntries(
    Object.entries(value).map(([name, field], index) => [
      index === 0 ? `${name.slice(0, -1)}${name.at(-1)?.toUpperCase()}x` : name,
      field,
    ]),
  )

const names = Object.entries(controlCalls)
  .filter(([, { takes }]) => takes.length > 0)
  .map(([name]) => name)

describe('a call with', () => {
  it.each(names)('wrong arguments names itself, the field, and an example that works: %s', async (name) => {
    const [, written] = String(await refusalOf(name, [true])).split('For example: ')
    const example = argumentsOf(written)
    const [first] = example
    const isObject = typeof first === 'object' && !Array.isArray(first)
    const kinds: Readonly<Record<string, readonly unknown[]>> = {
      'a string': ['ada'],
      'a number': [7],
      'an array': [[7]],
      'a misspelt field': [misspelt(isObject ? Object(first) : { user: 'ada' })],
      positions: isObject ? Object.values(Object(first)) : [true],
    }
    // `limits('off')` is a profile, and any text may be a name.
    const isRight = (value: unknown) =>
      typeof value === typeof first && typeof value !== 'object' && typeof value !== 'boolean'
    const wrong = Object.entries(kinds).filter(([, args]) => !isRight(args[0]))
    for (const [kind, args] of wrong) {
      const error = await refusalOf(name, args)
      expect.soft(error, kind).toMatchObject({ name: 'EmulatorError', code: 'bad_request' })
      expect.soft(String(error), kind).toContain(`EmulatorError: emulator.${name}: `)
      expect.soft(String(error).split('For example: ')[1], kind).toBe(written)
    }
    // A snapshot is read as a whole.
    const field = isObject && name !== 'restore' ? Object.keys(misspelt(Object(first)))[0] : ''
    expect(String(await refusalOf(name, kinds['a misspelt field'] ?? []))).toContain(field)
    expect(example.length).toBeGreaterThan(0)
    expect(String(await refusalOf(name, example))).not.toContain('For example')
  })

  it('a field that is missing names the field', async () => {
    expect(String(await refusalOf('tokens', [{ user: 'ada' }]))).toBe(
      "EmulatorError: emulator.tokens: action is required. For example: emulator.tokens({ user: 'ada', action: 'expire' })",
    )
    expect(String(await refusalOf('limits', [{ join_lobby: 3 }]))).toBe(
      'EmulatorError: emulator.limits: join_lobby must be an object, or null for no limit. For example: emulator.limits({ join_lobby: { limit: 3, per: 60000 } })',
    )
    expect(String(await refusalOf('limits', [{ joinlobby: null }]))).toContain('did you mean join_lobby?')
  })
})

const send = async (method: string, path: string, body: string) => {
  const { url, controlToken } = world.emulator
  const headers = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' }
  const response = await fetch(url + path.replaceAll(/:\w+/g, '1'), { method, headers, body })
  const text = await response.text()
  return fieldsOf(text === '' ? {} : JSON.parse(text))
}

describe('a request of the control plane with', () => {
  it('a body of the wrong shape names itself, the field, and a body that works', async () => {
    const routes = world.targets.routes.filter(
      ({ method, path }) =>
        path.startsWith('/_emulator/') && ['POST', 'PATCH'].includes(method) && !path.endsWith('/reset'),
    )
    expect(routes.length).toBeGreaterThan(30)
    for (const { method, path } of routes) {
      const examples = new Set<string>()
      for (const body of ['7', '[7]', '{"usr":"ada"}', 'user=ada']) {
        const { code, message } = await send(method, path, body)
        const about = `${method} ${path} ${body} ${String(message)}`
        expect.soft(code, about).toBe('bad_request')
        expect.soft(message, about).toContain(`${method} ${path}: `)
        examples.add(String(message).split('For example: ')[1] ?? '')
      }
      expect.soft(examples.size, path).toBe(1)
      for (const example of examples)
        expect.soft((await send(method, path, example))['message'] ?? '', path).not.toContain('For example')
    }
  })
})
