/** Opens every screen in every engine, measures it, and prints the progress and a table. */
import { ENGINES } from '../../test/support/engines/index'
import type { Engine } from '../../test/support/engines/engine'
import { selectScreens } from '../../test/support/screens'
import {
  collectReports,
  type Fault,
  type FaultKind,
  LOOKS,
  measureScreen,
} from '../../test/support/screens/measure-screen'
import { openWorld, type OpenWorld } from '../../test/support/screens/open-world'
import type { Screen } from '../../test/support/screens/screen'

const KINDS: readonly FaultKind[] = ['axe', 'overflow', 'cut off', 'keyboard', 'focus', 'policy']

export interface Selection {
  /** Name of one engine. Default: all. */
  engine: string | undefined
  /** Names of screens; empty for all. */
  names: readonly string[]
}

interface Row {
  engine: string
  screens: number
  /** Screens that could not be opened. */
  unopened: number
  faults: Fault[]
  seconds: number
}

/** The engines run at the same time. Resolves with the number of faults and of screens that could not be opened. */
export async function measureAll({ engine, names }: Selection): Promise<number> {
  const screens = selectScreens(names)
  const engines = ENGINES.filter(({ name }) => engine === undefined || name === engine)
  if (engines.length === 0)
    throw new Error(`No such engine. There are: ${ENGINES.map(({ name }) => name).join(', ')}.`)
  const rows = await Promise.all(engines.map((one) => measureIn(one, screens)))
  console.log(tableOf(rows))
  return rows.reduce((sum, { faults, unopened }) => sum + faults.length + unopened, 0)
}

async function measureIn(
  { name, launch }: (typeof ENGINES)[number],
  screens: readonly Screen[],
): Promise<Row> {
  const begin = performance.now()
  const world = await openWorld()
  const engine = await launch({ skip: refuse })
  const row: Row = { engine: name, screens: screens.length, unopened: 0, faults: [], seconds: 0 }
  try {
    for (const [index, screen] of screens.entries()) {
      const start = performance.now()
      const found = await measure(screen, engine, world)
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      if (typeof found === 'string') row.unopened += 1
      else row.faults.push(...found)
      const result = typeof found === 'string' ? `NOT OPENED: ${found}` : `${found.length} faults`
      console.log(`${name} ${index + 1} of ${screens.length}, ${screen.name}: ${result}, ${seconds} s`)
      if (typeof found !== 'string') for (const { kind, text } of found) console.log(`  ${kind}: ${text}`)
    }
  } finally {
    await engine.close()
    await world.close()
  }
  return { ...row, seconds: (performance.now() - begin) / 1000 }
}

function refuse(note?: string): never {
  throw new Error(`The engine cannot start: ${note}`)
}

/** Returns the faults, or why the screen could not be opened. */
async function measure(screen: Screen, engine: Engine, world: OpenWorld): Promise<Fault[] | string> {
  try {
    await world.reset()
    const page = await engine.open()
    await collectReports(page)
    await screen.open(page, world)
    return await measureScreen(page)
  } catch (error) {
    return String(error)
  }
}

function tableOf(rows: readonly Row[]): string {
  const head = ['engine', 'screens', 'not opened', 'looks', ...KINDS, 'seconds']
  const body = rows.map(({ engine, screens, unopened, faults, seconds }) => [
    engine,
    screens,
    unopened,
    (screens - unopened) * LOOKS.length,
    ...KINDS.map((kind) => faults.filter((fault) => fault.kind === kind).length),
    Math.round(seconds),
  ])
  const lines = [head, head.map(() => '---'), ...body]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
