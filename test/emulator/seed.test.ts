/** The seed: its settings, and a report of all errors at once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEmulator, type SeedInput } from 'foyer-emulator'
import { beginSignIn } from './support/sign-in-client.js'

async function started(seed: SeedInput) {
  const emulator = await createEmulator({ seed })
  const { users, application } = emulator
  await emulator.close()
  return { users, application }
}

describe('a seed', () => {
  it('has six players with an avatar and an ID beyond JavaScript’s safe integers', async () => {
    const { users } = await started({})
    expect(users).toHaveLength(6)
    for (const { id } of users) expect(String(Number(id))).not.toBe(id)
    expect(new Set(users.map(({ avatar }) => avatar)).size).toBe(6)
  })

  it('adds players, and replaces a default player with the same ID', async () => {
    const { users } = await started({
      users: [
        { id: '211842960158326785', username: 'boss' },
        { id: '42', username: 'neo', globalName: 'The One' },
      ],
    })
    expect(users.map(({ username }) => username)).toEqual([
      'ada',
      'boss',
      'chiyo',
      'zoe',
      'lukasz',
      'mira.k',
      'neo',
    ])
  })

  it('replaces the defaults if configured', async () => {
    const { users, application } = await started({
      defaults: false,
      users: [{ id: '42', username: 'neo' }],
      application: { redirectUris: ['https://game.example/cb'] },
    })
    expect(users.map(({ username }) => username)).toEqual(['neo'])
    expect(application.redirectUris).toEqual(['https://game.example/cb'])
  })

  it('gives another application ID its own redirect scheme', async () => {
    const emulator = await createEmulator({ seed: { application: { id: '99', name: 'Moon Base' } } })
    const { url } = await beginSignIn(emulator, { redirect_uri: 'service-99:/authorize/callback' })
    expect((await emulator.authorize(url, { as: 'ada' })).redirect).toMatch(
      /^service-99:\/authorize\/callback\?code=/,
    )
    await emulator.close()
  })

  it('completes a guild with defaults, and gives players a locale', async () => {
    const emulator = await createEmulator({
      seed: {
        defaults: false,
        users: [{ id: '42', username: 'neo', locale: 'de' }],
        guilds: [{ id: '7', name: 'Zion' }],
        application: { redirectUris: ['mygame:/cb'] },
      },
    })
    const headers = { authorization: `Bearer ${emulator.controlToken}` }
    const seen = await fetch(`${emulator.url}/_emulator/guilds/7/commands?as=neo&channel=8`, { headers })
    expect(await seen.json()).toMatchObject([{ name: 'Launch' }])
    await emulator.close()
  })

  it('reports errors in guilds and the application, each with its path', async () => {
    const wrong: unknown = {
      application: {
        ownerId: '5',
        team: 'yes',
        activities: 1,
        integrationTypes: [0, 'x'],
        discoverable: null,
      },
      users: [{ id: '42', username: 'neo', locale: '' }],
      guilds: [
        {
          id: '7',
          name: 'Zion',
          installed: 'yes',
          everyone: 8,
          roles: [{ id: 1, name: '', permissions: '0x8' }],
          channels: [{ id: '8', name: 'c', type: 99, overwrites: [{ id: '7', allow: -1 }] }],
          members: [{ userId: '43' }, { userId: '42', roles: ['x'] }],
        },
      ],
    }
    const expectedText = String(
      await createEmulator({ seed: Object(wrong) }).catch((reason: unknown) => reason),
    )
    const [application, guild] = ['application', 'guilds[0]']
    for (const path of ['ownerId', 'team', 'activities', 'integrationTypes[1]', 'discoverable'])
      expect(expectedText).toContain(`${application}.${path} `)
    for (const path of [
      'installed',
      'everyone',
      'roles[0].id',
      'roles[0].name',
      'roles[0].permissions',
      'channels[0].type',
    ])
      expect(expectedText).toContain(`${guild}.${path} `)
    for (const path of ['channels[0].overwrites[0].allow', 'members[0].userId', 'members[1].roles[0]'])
      expect(expectedText).toContain(`${guild}.${path} `)
    expect(expectedText).toContain('users[0].locale ')
  })

  it.each([
    ['a text', 'game'],
    ['http: on another host', 'http://game.example/'],
    ['another scheme', 'mygame:/join'],
    ['a query', 'https://game.example/?level=7'],
    ['a fragment', 'https://game.example/#lobby'],
    ['a password', 'https://ada:moon@game.example/'],
    ['a user', 'https://ada@game.example/'],
  ])('refuses %s as the join address', async (_what, joinUrl) => {
    const wrong: unknown = { application: { joinUrl } }
    const reason = await createEmulator({ seed: Object(wrong) }).catch((error: unknown) => String(error))
    expect(reason).toContain('application.joinUrl must begin')
  })

  it('reports all errors, each with its path', async () => {
    const wrong: unknown = {
      defaults: 'no',
      colour: 'red',
      application: {
        id: 42,
        redirectUris: [
          'http://game.example/cb',
          'https://localhost/cb',
          'nonsense',
          'mygame:/cb#x',
          'javascript:alert(1)',
        ],
      },
      users: [{ id: '18446744073709551616', username: '' }, { id: '7', username: 'ada' }, 'bob'],
      guilds: {},
    }
    // A seed file is parsed JSON without a checked type.
    const error: unknown = await createEmulator({ seed: Object(wrong) }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'invalid_seed' })
    const expectedText = String(error)
    for (const path of [
      'defaults ',
      'seed has no field "colour"',
      'application.id ',
      'users[0].id ',
      'users[0].username ',
      'users[2] ',
      'guilds ',
      '"ada"',
    ])
      expect(expectedText).toContain(path)
    for (const index of [0, 1, 2, 3, 4]) expect(expectedText).toContain(`application.redirectUris[${index}]`)
  })

  it('may be a file, and an unreadable file is reported by name', async () => {
    await expect(createEmulator({ seed: '/nowhere/seed.json' })).rejects.toMatchObject({
      code: 'invalid_seed',
      message: expect.stringContaining('/nowhere/seed.json'),
    })
  })

  it.each([
    [
      '{ // players\n}',
      'it must be JSON, without comments and without a comma before a closing bracket, such as {',
    ],
    ['{ "users": [], }', 'it must be JSON'],
    ['', 'it must be JSON'],
    [undefined, 'it is a folder; give the path of a JSON file in it'],
  ])('in a file that holds %j is refused with what a file holds', async (content, says) => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-seed-'))
    const file = join(folder, 'seed.json')
    if (content !== undefined) writeFileSync(file, content)
    await expect(createEmulator({ seed: content === undefined ? folder : file })).rejects.toMatchObject({
      code: 'invalid_seed',
      message: expect.stringContaining(says),
    })
    rmSync(folder, { recursive: true })
  })

  it('that is no path, or the path of no file, is refused with what to give', async () => {
    await expect(createEmulator({ seed: '{"users":[]}' })).rejects.toThrow('given as the path of a file')
    await expect(createEmulator({ seed: 'nowhere.json' })).rejects.toThrow('there is no such file in ')
  })
})
