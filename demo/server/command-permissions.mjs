/** Reads from the emulator who may use which command: this process has the control token, the page has not. */
import { readControlPlane } from './emulator-access.mjs'

/** @import { Emulator } from 'foyer-emulator' */
/** @import { Overview } from './server-types' */

/**
 * Returns acts of the page's endpoints.
 *
 * @param {Emulator} emulator
 */
export function createPermissionActs(emulator) {
  const guilds = async () => {
    /** @type {Overview} */
    const { guilds: all, players } = await readControlPlane(emulator, 'overview')
    /** @param {string} id */
    const nameOf = (id) => players.find((player) => player.id === id)?.username ?? id
    return {
      guilds: all.map((guild) => ({
        ...guild,
        members: guild.members.map((one) => ({ ...one, name: nameOf(one.id) })),
      })),
    }
  }
  /**
   * The commands of a guild, with the rule that keeps each of its members from them.
   *
   * @param {{ guild: string, channel?: string }} body
   */
  const access = async ({ guild, channel }) => {
    const { guilds: all } = await guilds()
    const members = all.find(({ id }) => id === guild)?.members
    if (members === undefined) throw new Error('The emulator has no such guild.')
    /** @param {string} as */
    const entriesOf = (as) =>
      readControlPlane(
        emulator,
        `guilds/${guild}/access?${new URLSearchParams({ as, ...(channel && { channel }) })}`,
      )
    return {
      members: await Promise.all(
        members.map(async (member) => ({ ...member, commands: await entriesOf(member.id) })),
      ),
    }
  }
  return { guilds, access }
}
