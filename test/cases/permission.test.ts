/** Permission to use a command: every case of the interface and the documentation, with its reason. */
import { expect, test } from 'vitest'
import {
  resolveCommandPermission,
  type ApplicationCommandPermission,
  type CommandPermissionInput,
} from 'foyer-sdk/server'
import { read } from './cases'

interface PermissionCase {
  readonly id: string
  readonly guild_id: string
  readonly application_id: string
  readonly default_member_permissions: string | null
  readonly app_overwrites: readonly ApplicationCommandPermission[]
  readonly command_overwrites: readonly ApplicationCommandPermission[]
  readonly member: CommandPermissionInput['member']
  readonly channel: CommandPermissionInput['channel']
  readonly expect: 'allow' | 'deny'
  readonly why: string
  readonly command_type?: number
  readonly stage?: 'picker' | 'invocation'
}

const cases: readonly PermissionCase[] = JSON.parse(read('permission'))

test('the permission cases are complete', () => {
  expect(cases.length).toBe(40)
})

test.each(cases)('permission case $id: $expect because $why', (each) => {
  const { allowed, because } = resolveCommandPermission({
    guildId: each.guild_id,
    applicationId: each.application_id,
    defaultMemberPermissions: each.default_member_permissions,
    appOverwrites: each.app_overwrites,
    commandOverwrites: each.command_overwrites,
    member: each.member,
    channel: each.channel,
    ...(each.command_type !== undefined && { commandType: each.command_type }),
    ...(each.stage && { stage: each.stage }),
  })
  expect(allowed).toBe(each.expect === 'allow')
  expect(because).toMatch(/^[A-Z].*\.$/)
})
