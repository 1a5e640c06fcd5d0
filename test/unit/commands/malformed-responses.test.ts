/** Malformed responses of the service, and permissions without overwrites. */
import { allChannelsId, resolveCommandPermission } from 'foyer-sdk/server'
import { describe, expect, it, test } from 'vitest'
import { CommandService, GUILD, json } from './fake-command-service'

const GIVE = { name: 'give', description: 'Gives an item' }
const WHOLE = { ...GIVE, id: '5', application_id: '6', type: 1, version: '7' }

describe('a list of commands', () => {
  it.each([
    ['null', [null]],
    ['a string', ['give']],
    ['a command without an ID', [{ ...WHOLE, id: undefined }]],
    ['a command without its application', [{ ...WHOLE, application_id: undefined }]],
    ['a command without a version', [{ ...WHOLE, version: undefined }]],
    ['a command whose type is no number', [{ ...WHOLE, type: '1' }]],
    ['a command whose name is no text', [{ ...WHOLE, name: 5 }]],
    ['a command whose description is no text', [{ ...WHOLE, description: 5 }]],
    ['an option whose choices are no objects', [{ ...WHOLE, options: [{ choices: ['x'] }] }]],
    [
      'an option whose channel types are no numbers',
      [{ ...WHOLE, options: [{ options: [{ channel_types: ['0'] }] }] }],
    ],
    ['one bad command among good ones', [WHOLE, { ...WHOLE, id: 'x' }, WHOLE]],
  ])('that contains %s is rejected as malformed', async (_, body) => {
    const service = new CommandService()
    service.faults.push(() => json(body))
    await expect(service.client().commands.global.list()).rejects.toMatchObject({
      name: 'ProtocolError',
      code: 'malformed_response',
    })
  })
})

const readInstance = (body: unknown) => {
  const service = new CommandService()
  service.faults.push(() => json(body))
  return service.client().activityInstances.get('i-1-gc-2-3')
}

describe('a running Activity', () => {
  const INSTANCE = {
    instance_id: 'i-1-gc-2-3',
    users: ['1'],
    location: { id: 'gc-2-3', kind: 'gc', channel_id: '3' },
  }
  it('is returned as it is, with fields that nobody asked for', async () => {
    expect(await readInstance({ ...INSTANCE, launch_id: '9' })).toEqual({ ...INSTANCE, launch_id: '9' })
  })

  it.each([
    ['a list', [INSTANCE], { path: '', expected: 'an object', got: 'a list' }],
    [
      'one without an id',
      { ...INSTANCE, instance_id: null },
      { path: 'instance_id', expected: 'a string', got: 'null' },
    ],
    [
      'one with a user that is an object',
      { ...INSTANCE, users: ['1', { id: '2' }] },
      { path: 'users[1]', got: 'an object' },
    ],
    ['one without a channel', { ...INSTANCE, location: {} }, { path: 'location.channel_id', got: 'nothing' }],
  ])('that arrives as %s is malformed, and names the field', async (_, body, fault) => {
    await expect(readInstance(body)).rejects.toMatchObject({ code: 'malformed_response', ...fault })
  })
})

const readUser = (body: unknown) => {
  const service = new CommandService()
  service.faults.push(() => json(body))
  return service.client().users.get('5')
}

describe('a user, read by the application', () => {
  it('may have neither display name nor picture', async () => {
    expect(await readUser({ id: '5', username: 'ada' })).toEqual({
      id: '5',
      username: 'ada',
      global_name: null,
      avatar: null,
    })
  })

  it.each([
    ['a list', [], { path: '', expected: 'an object', got: 'a list' }],
    ['one whose id is a number', { id: 5, username: 'ada' }, { path: 'id', got: 'a number' }],
    ['one without a name', { id: '5' }, { path: 'username', expected: 'a string', got: 'nothing' }],
    [
      'one whose picture is an object',
      { id: '5', username: 'ada', avatar: {} },
      { path: 'avatar', got: 'an object' },
    ],
  ])('that arrives as %s is malformed, and names the field', async (_, body, fault) => {
    await expect(readUser(body)).rejects.toMatchObject({ code: 'malformed_response', ...fault })
  })
})

test('a command without a type is a slash command, and may have null for what is optional', async () => {
  const service = new CommandService()
  const { type, ...untyped } = WHOLE
  service.faults.push(() => json([{ ...untyped, options: null, guild_id: null }]))
  expect([type, await service.client().commands.global.list()]).toEqual([
    1,
    [{ ...WHOLE, options: null, guild_id: null }],
  ])
})

test('a list of well-formed commands is returned as it is', async () => {
  const service = new CommandService()
  service.faults.push(() => json([WHOLE]))
  expect(await service.client().commands.global.list()).toEqual([WHOLE])
})

const role = (id: string, permission: boolean) => ({ id, type: 1, permission }) as const

describe('the permission of a command', () => {
  const member = { id: '5', roles: [], permissions_in_channel: '2048' }
  const input = {
    guildId: GUILD,
    applicationId: '6',
    member,
    channel: { id: '7' },
    defaultMemberPermissions: null,
  }

  it('without overwrites follows default_member_permissions', () => {
    expect(resolveCommandPermission(input).allowed).toBe(true)
    const { allowed, because } = resolveCommandPermission({ ...input, defaultMemberPermissions: '2080' })
    expect(allowed).toBe(false)
    expect(because).toContain('bits 32')
  })

  it('is granted if the permissions that it needs are not given', () => {
    const { defaultMemberPermissions, ...rest } = input
    expect([defaultMemberPermissions, resolveCommandPermission(rest).allowed]).toEqual([null, true])
  })

  it.each(['12x', 'x12', '', '-1'])('rejects %j as permissions', (bits) => {
    expect(() => resolveCommandPermission({ ...input, defaultMemberPermissions: bits })).toThrow(
      /defaultMemberPermissions/,
    )
  })

  it('for a user command needs a channel to send messages in, but not in the picker', () => {
    const muted = { ...input, commandType: 2, member: { ...member, permissions_in_channel: '0' } } as const
    const stages = [undefined, 'invocation', 'picker'] as const
    expect(
      stages.map((stage) => resolveCommandPermission({ ...muted, ...(stage && { stage }) }).allowed),
    ).toEqual([false, false, true])
  })

  it.each([
    ['0', 0, false],
    ['2048', 0, true],
    ['2048', 'thread', false],
    ['274877906944', 'thread', true],
  ])(
    'for a user command with the permissions %s in a channel of type %s is granted: %s',
    (permissions, type, allowed) => {
      const user = {
        ...input,
        commandType: 2,
        channel: { id: '7', type },
        member: { ...member, permissions_in_channel: permissions },
      }
      expect(resolveCommandPermission(user).allowed).toBe(allowed)
    },
  )

  it('can be overwritten for one command', () => {
    const commandOverwrites = [{ id: allChannelsId(GUILD), type: 3, permission: false } as const]
    expect(resolveCommandPermission({ ...input, commandOverwrites }).allowed).toBe(false)
  })

  it.each([
    [
      'an entry of a player whose ID is that of a role',
      ['8'],
      [{ id: '8', type: 2, permission: false }],
      'Nothing forbids the command',
    ],
    [
      'an allowed role beats a forbidden one',
      ['8', '9'],
      [role('8', false), role('9', true)],
      'allowed for one of the member’s roles',
    ],
    ['a forbidden role', ['8'], [role('8', false)], 'forbidden for the member’s roles'],
    [
      'a role beats everyone',
      [GUILD, '8'],
      [role(GUILD, true), role('8', false)],
      'forbidden for the member’s roles',
    ],
    ['everyone, listed among the roles', [GUILD], [role(GUILD, false)], 'forbidden for everyone'],
    [
      'the member beats their role',
      ['8'],
      [role('8', false), { id: '5', type: 2, permission: true }],
      'allowed for the member',
    ],
  ] as const)('names the entry that decides: %s', (...[, roles, commandOverwrites, reason]) => {
    expect(
      resolveCommandPermission({ ...input, member: { ...member, roles }, commandOverwrites }).because,
    ).toContain(reason)
  })
})

describe('permissions of a command in a response', () => {
  const entry = { id: GUILD, type: 1, permission: false }
  const whole = { id: '1', application_id: '6', guild_id: GUILD, permissions: [entry] }
  const withEntry = (change: object) => ({ ...whole, permissions: [entry, { ...entry, ...change }] })

  it.each([
    ['null', null],
    ['a list', []],
    ['permissions that are no list', { ...whole, permissions: {} }],
    ['an ID that is no snowflake', { ...whole, id: 'x' }],
    ['an application that is no snowflake', { ...whole, application_id: 'x' }],
    ['a guild that is no snowflake', { ...whole, guild_id: 'x' }],
    ['an entry whose ID is no snowflake', withEntry({ id: 'x' })],
    ['an entry whose type is no number', withEntry({ type: '1' })],
    ['an entry whose permission is no boolean', withEntry({ permission: 1 })],
  ])('are malformed with %s', async (_, body) => {
    const service = new CommandService()
    service.faults.push(() => json(body))
    const permissions = service.client().commands.permissions(GUILD)
    await expect(permissions.get('1')).rejects.toMatchObject({ code: 'malformed_response' })
  })
})
