/** Reads from the emulator who may use which command: this process has the control token, the page has not. */
import { readControlPlane } from './emulator-access.mjs'

/** Returns acts of the page's endpoints. */
export function createPermissionActs(emulator) {
  const read = (path) => readControlPlane(emulator, path)
  const guilds = async () => {
    const { guilds: all, players } = await read('overview')
    const nameOf = (id) => players.find((player) => player.id === id)?.username ?? id
    return { guilds: all.map((guild) => ({ ...guild, members: guild.members.map((one) => ({ ...one, name: nameOf(one.id) })) })) }
  }
  /** The commands of a guild, with the rule that keeps each of its members from them. */
  const access = async ({ guild, channel }) => {
    const { guilds: all } = await guilds()
    const members = all.find(({ id }) => id === guild)?.members
    if (members === undefined) throw new Error('The emulator has no such guild.')
    const entriesOf = (as) => read(`guilds/${guild}/access?${new URLSearchParams({ as, ...(channel && { channel }) })}`)
    return { members: await Promise.all(members.map(async (member) => ({ ...member, commands: await entriesOf(member.id) }))) }
  }
  return { guilds, access }
}
