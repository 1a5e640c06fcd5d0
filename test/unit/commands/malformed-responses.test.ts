/** Malformed responses of the service, and permissions without overwrites. */
import { allChannelsId, resolveCommandPermission } from 'foyer-sdk/server'
import { describe, expect, it } from 'vitest'
import { CommandService, GUILD, json } from './fake-command-service'

const GIVE = { name: 'give', description: 'Gives an item' }

describe('a list of commands', () => {
  it.each([
    ['null', [null]],
    ['a string', ['give']],
    ['a command without an ID', [{ ...GIVE, type: 1 }]],
  ])('that contains %s is rejected as malformed', async (_, body) => {
    const service = new CommandService()
    service.faults.push(() => json(body))
    await expect(service.client().commands.global.list()).rejects.toMatchObject({ name: 'ProtocolError', code: 'malformed_response' })
  })
})

describe('the permission of a command', () => {
  const member = { id: '5', roles: [], permissions_in_channel: '2048' }
  const input = { guildId: GUILD, applicationId: '6', member, channel: { id: '7' }, defaultMemberPermissions: null }

  it('without overwrites follows default_member_permissions', () => {
    expect(resolveCommandPermission(input).allowed).toBe(true)
    expect(resolveCommandPermission({ ...input, defaultMemberPermissions: '32' }).allowed).toBe(false)
  })

  it('can be overwritten for one command', () => {
    const commandOverwrites = [{ id: allChannelsId(GUILD), type: 3, permission: false } as const]
    expect(resolveCommandPermission({ ...input, commandOverwrites }).allowed).toBe(false)
  })
})
