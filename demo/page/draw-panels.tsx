/** Draws the panels of the page into their places: those of the first screen at once, the others when their code is loaded. */
import { type ComponentChildren, type ComponentType, render } from 'preact'
import { byId } from './foundation/by-id'
import type { Screen } from './foundation/page-address'
import type { DemoContext } from './context/demo-context'
import { DemoProvider } from './context/use-demo'

/** Panels by the name of their place in the page. */
export type Panels = Readonly<Record<string, ComponentType>>

interface LoadedScreen {
  readonly screen: Screen
  /** Place that says so if the code cannot be loaded. */
  readonly place: string
  readonly load: () => Promise<{ readonly PANELS: Panels }>
}

const LOADED: readonly LoadedScreen[] = [
  { screen: 'exchange', place: 'exchanges', load: () => import('./screens/exchange-screen') },
  { screen: 'doctor', place: 'doctor', load: () => import('./screens/doctor-screen') },
  { screen: 'lobby', place: 'meeting', load: () => import('./screens/lobby-screen') },
  { screen: 'limits', place: 'service-limits', load: () => import('./screens/limits-screen') },
  { screen: 'service', place: 'services', load: () => import('./screens/service-screen') },
]

export function drawPanels(panels: Panels, context: DemoContext): void {
  for (const [name, Panel] of Object.entries(panels))
    draw(
      name,
      <DemoProvider value={context}>
        <Panel />
      </DemoProvider>,
    )
}

function draw(name: string, shown: ComponentChildren): void {
  render(shown, byId(`${name}-place`))
}

/** Loads all screens, so that they open at once, also when the server of the page has stopped. One that failed is tried again when it is opened. */
export async function loadScreens(context: DemoContext): Promise<void> {
  const missing = new Set(LOADED)
  const load = async (loaded: LoadedScreen) => {
    try {
      const { PANELS } = await loaded.load()
      if (missing.delete(loaded)) drawPanels(PANELS, context)
    } catch {
      draw(loaded.place, <LoadFault />)
    }
  }
  const first = LOADED.map(load)
  context.address.current.subscribe(({ screen }) => {
    for (const loaded of missing) if (loaded.screen === screen) void load(loaded)
  })
  await Promise.all(first)
}

function LoadFault() {
  return (
    <p class="fault" role="alert">
      This part could not be loaded. Open the screen again.
    </p>
  )
}
