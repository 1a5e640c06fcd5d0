/** Measures what a feature adds to a game that signs in, as Vite builds it. */
import { type Bundle, bundleGame, reachable } from './bundle-game'
import { loadedUntilSignedIn, sizeOf } from './compare-bundlers'
import { SIGN_IN, textTable } from './measure-sizes'

/** `game`: further code of the game. `modules`: modules that the feature loads with its first use; all that they may load later is counted too. */
interface Feature {
  readonly name: string
  readonly game?: string
  readonly modules?: readonly string[]
  /** Modules of another feature that has loaded already. */
  readonly after?: readonly string[]
}

const GROUPS = 'client/groups'

const FEATURES: readonly Feature[] = [
  {
    name: 'sessions in a store',
    game: using('indexedDbStore'),
    modules: ['client/session/stored-session.js'],
  },
  {
    name: 'sign-in by redirect',
    game: using('redirectSurface'),
    modules: ['client/page/after-redirect.js', 'shared/authorization/create-callback-handler.js'],
  },
  { name: 'revocation, updateToken', modules: ['client/sign-in/token-calls.js'] },
  { name: 'lobbies, profile and servers of the player', modules: [`${GROUPS}/player-calls.js`] },
  {
    name: 'limits shared by tabs, beside lobbies',
    modules: ['client/page/page-services.js'],
    after: [`${GROUPS}/player-calls.js`],
  },
  {
    name: 'stream of lobby changes',
    game: using('lobbyStream'),
    modules: ['client/page/open-lobby-stream.js'],
  },
  { name: 'Activities', modules: [`${GROUPS}/activity-calls.js`] },
  { name: 'devices and provisional accounts', modules: [`${GROUPS}/account-calls.js`] },
  { name: 'the game’s own backend', modules: [`${GROUPS}/backend-calls.js`] },
]

/** A game that also uses an export. */
function using(name: string): string {
  return `import { ${name} } from 'foyer-sdk'\nglobalThis.used = ${name}\n`
}

export interface FeatureCost {
  readonly name: string
  /** Bytes after gzip that load with the page. */
  readonly atLoad: number
  /** Bytes after gzip of everything that the first use loads, or a later one. */
  readonly onUse: number
}

/** `project`: folder whose `node_modules` has the SDK. */
export async function featureCosts(project: string): Promise<readonly FeatureCost[]> {
  const plain = await bundleGame('Vite', project, SIGN_IN)
  const costs: FeatureCost[] = []
  for (const feature of FEATURES) costs.push(costOf(feature, plain, await build(project, feature, plain)))
  return costs
}

async function build(project: string, { game }: Feature, plain: Bundle): Promise<Bundle> {
  return game === undefined ? plain : bundleGame('Vite', project, game + SIGN_IN)
}

function costOf({ name, modules = [], after = [] }: Feature, plain: Bundle, bundle: Bundle): FeatureCost {
  const signedIn = loadedUntilSignedIn(bundle)
  const before = [...signedIn, ...reachable(after.flatMap(bundle.load), bundle.chunks, signedIn)]
  const later = reachable(modules.flatMap(bundle.load), bundle.chunks, before)
  return { name, atLoad: sizeOf(bundle.atLoad).gzip - sizeOf(plain.atLoad).gzip, onUse: sizeOf(later).gzip }
}

export function featureTable(costs: readonly FeatureCost[]): string {
  const rows = costs.map(({ name, atLoad, onUse }) => [name, `+${atLoad}`, `+${onUse}`])
  return textTable([
    ['feature, added to the app that signs in', 'at load, gzip B', 'on use, gzip B'],
    ...rows,
  ])
}
