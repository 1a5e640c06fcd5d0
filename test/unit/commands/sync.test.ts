/** Plans and syncs of commands: the differences, and requests for those alone. */
import { describe, expect, test } from 'vitest'
import {
  type CommandOverwriteBody,
  type CommandPlan,
  MemoryRateLimitStores,
  printStep,
} from 'foyer-sdk/server'
import { CommandService, GUILD, json } from './fake-command-service'

const command = (index: number, description = 'Something'): CommandOverwriteBody => ({
  name: `c${index}`,
  description,
})
const hundred = Array.from({ length: 100 }, (_, index) => command(index))

/** A service with existing commands. */
function serviceWith(...commands: readonly CommandOverwriteBody[]): CommandService {
  const service = new CommandService()
  for (const each of commands) service.add(each)
  return service
}

describe('a sync with an empty list', () => {
  test('is refused while there are commands, since an import may have failed', async () => {
    const service = serviceWith(command(0), command(1), { type: 4, name: 'Launch', handler: 2 })
    const { global } = service.client().commands
    await expect(global.sync([])).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('allowEmpty'),
    })
    expect((await global.list()).length).toBe(3)
    await global.sync([], { allowEmpty: true })
    expect((await global.list()).map(({ name }) => name)).toEqual(['Launch'])
  })

  test('changes nothing, and is no error, while there is nothing to delete', async () => {
    const { requests } = await serviceWith({ type: 4, name: 'Launch', handler: 2 })
      .client()
      .commands.global.sync([])
    expect(requests).toBe(1)
  })
})

describe('a sync plan', () => {
  test('of a hundred unchanged commands is empty and costs one request', async () => {
    const service = serviceWith(...hundred)
    const plan = await service.client().commands.global.plan(hundred)
    expect(plan.steps).toEqual([])
    expect(plan.keeps.length).toBe(100)
    expect(service.seen.length).toBe(1)
  })

  test('describes its changes and the daily limit', async () => {
    const service = serviceWith(command(0), command(1), command(2), { type: 4, name: 'Launch', handler: 2 })
    const plan = await service.client().commands.global.plan([command(0), command(1, 'Changed'), command(3)])
    expect(plan.toString().split('\n')).toEqual([
      'Global commands: 1 to create, 1 to update, 1 to delete, 2 unchanged.',
      '~ update /c1: description',
      '+ create /c3',
      '- delete /c2',
      '! “c2” loses its permissions for good when it is deleted',
      'Creates: 1 of 200 a day.',
    ])
    expect(plan.budget).toEqual({ creates: 1, limit: 200 })
  })

  test('keeps the entry point unless it is listed, and updates it under any name', async () => {
    const entry: CommandOverwriteBody = { type: 4, name: 'Launch', handler: 2 }
    const service = serviceWith(entry)
    const { global } = service.client().commands
    expect((await global.plan([])).steps).toEqual([])
    expect((await global.plan([entry])).steps).toEqual([])
    const renamed = await global.plan([{ ...entry, name: 'Play' }])
    expect(renamed.steps).toMatchObject([{ action: 'update', fields: ['name'], changes: { name: 'Play' } }])
    expect(renamed.warnings).toMatchObject([{ path: '[0].name', code: 'rename_loses_permissions' }])
  })

  test('renames a command by ID, with a warning', async () => {
    const service = serviceWith(command(0))
    const plan = await service.client().commands.global.plan([{ ...command(7), id: '1000' }])
    expect(plan.steps).toMatchObject([{ action: 'update', changes: { name: 'c7' } }])
    expect(plan.warnings.map(({ code }) => code)).toEqual(['rename_loses_permissions'])
  })

  test('deletes first if there is no room, and last otherwise', async () => {
    const full = serviceWith(...hundred)
    const crowded = await full.client().commands.global.plan([...hundred.slice(1), command(100)])
    expect(crowded.steps.map(({ action }) => action)).toEqual(['delete', 'create'])
    const roomy = await serviceWith(command(0))
      .client()
      .commands.global.plan([command(1)])
    expect(roomy.steps.map(({ action }) => action)).toEqual(['create', 'delete'])
  })

  test('deletes first if a rename needs the name', async () => {
    const service = serviceWith(command(0), command(1))
    const plan = await service.client().commands.global.plan([{ ...command(1), id: '1000' }])
    expect(plan.steps.map(({ action }) => action)).toEqual(['delete', 'update'])
  })

  test.each<[string, Partial<CommandOverwriteBody>, Partial<CommandOverwriteBody>]>([
    ['an empty list of options', { options: [] }, {}],
    ['an empty dictionary', { name_localizations: {} }, {}],
    [
      'the order of locales',
      { name_localizations: { fr: 'b', de: 'a' } },
      { name_localizations: { de: 'a', fr: 'b' } },
    ],
    ['false for a flag', { nsfw: false, default_permission: true }, {}],
    ['leading zeros', { default_member_permissions: '0032' }, { default_member_permissions: '32' }],
    ['the order of contexts', { contexts: [1, 0] }, { contexts: [0, 1] }],
    ['all contexts listed', { contexts: [0, 1, 2] }, { contexts: null }],
    ['a handler that is left out', {}, { handler: 1 }],
    ['default installation settings', {}, { integration_types: [1] }],
    [
      'default values of options',
      {
        options: [
          {
            type: 3,
            name: 'a',
            description: 'A',
            required: false,
            autocomplete: false,
            choices: [],
            name_localizations: null,
          },
        ],
      },
      { options: [{ type: 3, name: 'a', description: 'A' }] },
    ],
    [
      'null for an absent field',
      { options: [{ type: 3, name: 'a', description: 'A' }] },
      {
        options: JSON.parse(
          '[{"type":3,"name":"a","description":"A","choices":null,"options":null,"required":null}]',
        ),
      },
    ],
    [
      'the order of file types',
      { options: [{ type: 11, name: 'a', description: 'A', file_types: ['image', '.txt'] }] },
      { options: [{ type: 11, name: 'a', description: 'A', file_types: ['.txt', 'image'] }] },
    ],
    [
      'an empty list of file types of an option without files',
      { options: [{ type: 3, name: 'a', description: 'A', file_types: [] }] },
      { options: [{ type: 3, name: 'a', description: 'A' }] },
    ],
    [
      'an empty list of channel types',
      { options: [{ type: 7, name: 'a', description: 'A', channel_types: [] }] },
      { options: [{ type: 7, name: 'a', description: 'A' }] },
    ],
    [
      'the order of channel types',
      { options: [{ type: 7, name: 'a', description: 'A', channel_types: [2, 0] }] },
      { options: [{ type: 7, name: 'a', description: 'A', channel_types: [0, 2] }] },
    ],
  ])('contains no change for %s', async (_, wanted, existing) => {
    const service = serviceWith({ ...command(0), ...existing })
    expect((await service.client().commands.global.plan([{ ...command(0), ...wanted }])).steps).toEqual([])
  })

  test.each<[string, Partial<CommandOverwriteBody>, Partial<CommandOverwriteBody>, object]>([
    ['a removed translation', {}, { name_localizations: { de: 'a' } }, { name_localizations: null }],
    ['removed options', {}, { options: [{ type: 3, name: 'a', description: 'A' }] }, { options: [] }],
    [
      'removed default permissions',
      {},
      { default_member_permissions: '32' },
      { default_member_permissions: null },
    ],
    [
      'other default permissions, but for a zero',
      { default_member_permissions: '1032' },
      { default_member_permissions: '132' },
      { default_member_permissions: '1032' },
    ],
    ['a removed age restriction', {}, { nsfw: true }, { nsfw: false }],
    [
      'another range',
      { options: [{ type: 4, name: 'a', description: 'A', min_value: 1, max_value: 9 }] },
      { options: [{ type: 4, name: 'a', description: 'A', min_value: 1, max_value: 8 }] },
      { options: [{ type: 4, name: 'a', description: 'A', min_value: 1, max_value: 9 }] },
    ],
    ['removed contexts', {}, { contexts: [0] }, { contexts: null }],
    [
      'other file types',
      { options: [{ type: 11, name: 'a', description: 'A', file_types: ['video'] }] },
      { options: [{ type: 11, name: 'a', description: 'A', file_types: ['image'] }] },
      { options: [{ type: 11, name: 'a', description: 'A', file_types: ['video'] }] },
    ],
    [
      'the order of options',
      { options: ['b', 'a'].map((name) => ({ type: 3, name, description: 'A' })) },
      { options: ['a', 'b'].map((name) => ({ type: 3, name, description: 'A' })) },
      { options: ['b', 'a'].map((name) => ({ type: 3, name, description: 'A' })) },
    ],
  ])('contains a change for %s', async (...[, wanted, existing, changes]) => {
    const service = serviceWith({ ...command(0), ...existing })
    const { global } = service.client().commands
    expect((await global.plan([{ ...command(0), ...wanted }])).steps).toMatchObject([
      { action: 'update', changes },
    ])
    await global.sync([{ ...command(0), ...wanted }])
    expect((await global.plan([{ ...command(0), ...wanted }])).steps).toEqual([])
  })

  test('orders renames by the names they free, and breaks cycles', async () => {
    const [a, b] = [command(0), command(1)]
    const names = async (...wanted: string[]) => {
      const desired = wanted.map((name, index) => ({ ...a, name, id: String(1000 + index) }))
      const { steps } = await serviceWith(a, b).client().commands.global.plan(desired)
      for (const step of steps) expect(step).toMatchObject({ fields: ['name'] })
      return steps.map((step) => step.action === 'update' && [step.existing.name, step.changes.name])
    }
    expect(await names('c1', 'c2')).toEqual([
      ['c1', 'c2'],
      ['c0', 'c1'],
    ])
    expect(await names('c1', 'c0')).toEqual([
      ['c0', '1000'],
      ['c1', 'c0'],
      ['1000', 'c1'],
    ])
  })

  test('restores direct messages unless the contexts decide about them', async () => {
    const wanted: CommandOverwriteBody[] = [command(0), { ...command(1), contexts: [0] }]
    const service = serviceWith(...wanted.map((each) => ({ ...each, dm_permission: false })))
    const { steps } = await service.client().commands.global.plan(wanted)
    expect(steps).toMatchObject([{ action: 'update', existing: { name: 'c0' }, fields: ['dm_permission'] }])
  })

  test('renames nothing because a command is called “undefined”', async () => {
    const odd = { name: 'undefined', description: 'Odd' }
    const { global } = serviceWith(command(0), odd).client().commands
    const updates = await global.plan([command(0, 'Changed'), { ...odd, description: 'Even' }])
    expect(updates.steps.map(({ action }) => action)).toEqual(['update', 'update'])
    const deletion = await global.plan([command(0, 'Changed')])
    expect(deletion.steps.map(({ action }) => action)).toEqual(['update', 'delete'])
  })

  test('accepts valid commands only', async () => {
    const service = serviceWith()
    await expect(service.client().commands.global.plan([command(0), command(0)])).rejects.toMatchObject({
      code: 'invalid_body',
    })
    expect(service.seen).toEqual([])
  })

  test('ignores fields without effect in a guild', async () => {
    const globalOnly = { contexts: [0], integration_types: [1], dm_permission: false }
    const service = serviceWith(command(0))
    const plan = await service
      .client()
      .commands.guild(GUILD)
      .plan([{ ...command(0), ...globalOnly }])
    expect(plan.steps).toEqual([])
  })
})

describe('a command sync', () => {
  const wanted = [
    ...hundred.slice(0, 90),
    ...hundred.slice(90).map((each) => ({ ...each, description: 'Changed' })),
  ]

  test('of a hundred commands with ten changes takes two requests', async () => {
    const service = serviceWith(...hundred)
    const { requests } = await service.client().commands.global.sync(wanted)
    expect(requests).toBe(2)
    expect(service.writes).toEqual(['PUT /commands'])
    expect(service.commands.map(({ id }) => id)).toEqual(hundred.map((_, index) => String(1000 + index)))
  })

  test('one by one takes one request per change', async () => {
    const service = serviceWith(...hundred)
    const done: number[] = []
    const { requests } = await service
      .client()
      .commands.global.sync(wanted, { using: 'steps', onStep: (progress) => done.push(progress.done) })
    expect(requests).toBe(11)
    expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(new Set(service.writes.map((write) => write.split(' ')[0]))).toEqual(new Set(['PATCH']))
  })

  test('shows the plan before it writes and can be cancelled there', async () => {
    const service = serviceWith(...hundred)
    const onPlan = (plan: CommandPlan) => {
      expect([plan.steps.length, service.writes.length]).toEqual([10, 0])
      throw new Error('Not today.')
    }
    await expect(service.client().commands.global.sync(wanted, { onPlan })).rejects.toThrow('Not today.')
    expect(service.writes).toEqual([])
  })

  test('updates one changed command with one request', async () => {
    const service = serviceWith(...hundred)
    await service.client().commands.global.sync([command(0, 'Changed'), ...hundred.slice(1)])
    expect(service.writes).toEqual(['PATCH /commands/1000'])
    expect(service.seen.at(-1)?.body).toEqual({ description: 'Changed' })
  })

  test.each(['fewest', 'steps'] as const)('changes nothing the second time (%s)', async (using) => {
    const service = serviceWith(command(0), command(1), { type: 4, name: 'Launch', handler: 2 })
    const { global } = service.client().commands
    const desired: CommandOverwriteBody[] = [
      command(1, 'Changed'),
      command(2),
      { type: 2, name: 'High Five' },
    ]
    await global.sync(desired, { using })
    const before = service.writes.length
    const { requests } = await global.sync(desired, { using })
    expect([service.writes.length - before, requests]).toEqual([0, 1])
    expect(service.commands.map(({ name }) => name).toSorted()).toEqual(['High Five', 'Launch', 'c1', 'c2'])
  })

  test('includes the entry point, so that the list does not delete it', async () => {
    const entry: CommandOverwriteBody = {
      type: 4,
      name: 'Launch',
      handler: 2,
      name_localizations: { de: 'Los' },
      nsfw: true,
    }
    const service = serviceWith(entry)
    await service.client().commands.global.sync([command(0), command(1)])
    expect(service.commands.map(({ name }) => name)).toEqual(['c0', 'c1', 'Launch'])
    expect(service.commands[2]).toMatchObject(entry)
  })

  test('keeps listed fields that it does not compare', async () => {
    const service = serviceWith({ ...command(0), integration_types: [1] })
    await service.client().commands.global.sync([command(0), command(1), command(2)])
    expect(service.commands[0]).toMatchObject({ name: 'c0', integration_types: [1] })
  })

  test('continues after a failure where it stopped', async () => {
    const service = serviceWith()
    const { global } = service.client().commands
    service.faults.push(
      () => json([]),
      () => json(service.add(command(0)), 201),
      () => json({ message: 'down' }, 503),
    )
    await expect(global.sync([command(0), command(1), command(2)], { using: 'steps' })).rejects.toMatchObject(
      {
        status: 503,
        retryable: true,
      },
    )
    const { requests } = await global.sync([command(0), command(1), command(2)], { using: 'steps' })
    expect(requests).toBe(3)
    expect(service.commands.map(({ name }) => name)).toEqual(['c0', 'c1', 'c2'])
  })

  test('waits for another one of the same scope, and then finds nothing to do', async () => {
    const service = serviceWith()
    const stores = new MemoryRateLimitStores()
    const desired = [command(0), command(1), command(2)]
    const sync = () =>
      service.client({ rateLimitStore: stores.store() }).commands.global.sync(desired, { using: 'steps' })
    const results = await Promise.all([sync(), sync(), sync()])
    expect(results.map(({ requests }) => requests).toSorted((a, b) => a - b)).toEqual([1, 1, 4])
    expect(service.writes).toHaveLength(3)
  })

  test('rejects an invalid list before it waits for another one', async () => {
    const client = serviceWith().client()
    const { global } = client.commands
    const first = global.sync([], { signal: AbortSignal.timeout(60_000) })
    await expect(global.sync([command(0), command(0)])).rejects.toMatchObject({ code: 'invalid_body' })
    await first
  })

  test('writes nothing once its lock has expired while the process stood still', async () => {
    let now = 0
    const clock = { now: () => now, after: () => () => undefined }
    const service = serviceWith()
    const onPlan = () => void (now += 10_000)
    const client = service.client({ clock })
    await expect(client.commands.global.sync([command(0)], { onPlan })).rejects.toMatchObject({
      code: 'timed_out',
    })
    expect(service.writes).toEqual([])
  })
})

const actionsOf = async (
  existing: readonly CommandOverwriteBody[],
  desired: readonly CommandOverwriteBody[],
) => {
  const { steps } = await serviceWith(...existing)
    .client()
    .commands.global.plan(desired)
  return [...new Set(steps.map(({ action }) => action))]
}

const user = (name: string): CommandOverwriteBody => ({ type: 2, name })

describe('the order of a plan', () => {
  test('deletes first only if there is no room for the type of a created command', async () => {
    expect(await actionsOf([...hundred, user('old')], [...hundred, user('new')])).toEqual([
      'create',
      'delete',
    ])
    const users = ['a', 'b', 'c', 'd', 'e'].map(user)
    const others = Array.from({ length: 10 }, (_, index) => user(`old${index}`))
    expect(await actionsOf(others, [...others.slice(1), ...users])).toEqual(['create', 'delete'])
    const full = Array.from({ length: 15 }, (_, index) => user(`old${index}`))
    expect(await actionsOf(full, [...full.slice(1), user('new')])).toEqual(['delete', 'create'])
  })

  test('counts the created commands of each type for themselves', async () => {
    const service = serviceWith(...hundred.slice(0, 99), { type: 2, name: 'Wave' })
    const plan = await service.client().commands.global.plan([...hundred, { type: 2, name: 'Hug' }])
    expect(plan.steps.map(({ action }) => action)).toEqual(['create', 'create', 'delete'])
  })

  test('has room for the last command of a scope', async () => {
    expect(
      await actionsOf([...hundred.slice(0, 98), command(200)], [...hundred.slice(0, 98), command(99)]),
    ).toEqual(['create', 'delete'])
    expect(
      await actionsOf([...hundred.slice(0, 99), command(200)], [...hundred.slice(0, 99), command(99)]),
    ).toEqual(['delete', 'create'])
  })
})

const remove = (type: number) => printStep({ action: 'delete', existing: { type, name: 'x' } } as never)

describe('the text of a plan', () => {
  test('names the type of a command, also of an unknown one', () => {
    expect([1, 2, 3, 9].map(remove)).toEqual([
      '- delete /x',
      '- delete x (user command)',
      '- delete x (message command)',
      '- delete x (command)',
    ])
  })
})

test('permissions that differ only in leading zeros are equal', async () => {
  const service = serviceWith({ ...command(0), default_member_permissions: '8' })
  const steps = async (permissions: string | null) =>
    (
      await service
        .client()
        .commands.global.plan([{ ...command(0), default_member_permissions: permissions }])
    ).steps.length
  expect([await steps('008'), await steps('80'), await steps('0'), await steps(null)]).toEqual([0, 1, 1, 1])
})
