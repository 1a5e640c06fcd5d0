// The game's database. A purchase is a file with the id of its entitlement as its name, so that it cannot be added twice.
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** @param {string} folder */
export function createItems(folder) {
  mkdirSync(folder, { recursive: true })
  const fileOf = (/** @type {string} */ entitlementId) => join(folder, `${entitlementId}.json`)
  return {
    /** Adds an item, unless it was added before. Whoever reads meanwhile finds a whole file or none. */
    async add(/** @type {{ entitlementId: string, userId: string, skuId: string }} */ purchase) {
      const { entitlementId, userId, skuId } = purchase
      const draft = join(folder, `${randomUUID()}.draft`)
      await writeFile(draft, JSON.stringify({ userId, skuId }))
      try {
        await link(draft, fileOf(entitlementId))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      } finally {
        await rm(draft)
      }
    },
    /** Takes an item back, if it is there. */
    async remove(/** @type {{ entitlementId: string }} */ { entitlementId }) {
      await rm(fileOf(entitlementId), { force: true })
    },
    /** The products of a player, one for each purchase. @returns {Promise<string[]>} */
    async of(/** @type {string} */ player) {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
      const items = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
      return items
        .map((text) => JSON.parse(text))
        .filter(({ userId }) => userId === player)
        .map(({ skuId }) => skuId)
    },
  }
}
