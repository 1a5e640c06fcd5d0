/** What every panel gets: the settings, the sign-in and its story. A panel is one `mount`; panels know each other only through this. */
import { type ArgumentsForm, rememberArguments, rememberedArguments } from './game/arguments-form'
import type { Preset } from './game/preset'
import { clientOptions, connect, type Connection, rememberedService, rememberService, type ServiceSettings } from './game/service-settings'
import { SignIn } from './game/sign-in'
import { Steps } from './game/steps'
import { Store } from './store'

export interface DemoContext {
  /** The emulator beside the page, or null. */
  readonly preset: Preset | null
  readonly service: Store<ServiceSettings>
  readonly connection: Store<Connection>
  readonly form: Store<ArgumentsForm>
  readonly signIn: SignIn
  readonly steps: Steps
}

/** Fills an empty element with a panel. */
export type Mount = (element: HTMLElement, context: DemoContext) => void

export function createContext(preset: Preset | null): DemoContext {
  const service = new Store(rememberedService(preset))
  const form = new Store(rememberedArguments())
  const connection = new Store(connect(clientOptions(service.value, preset)))
  const steps = new Steps()
  const signIn = new SignIn(steps)
  connection.watch((next) => signIn.use(next))
  service.onChange((settings) => {
    rememberService(settings)
    connection.set(connect(clientOptions(settings, preset)))
  })
  form.onChange(rememberArguments)
  return { preset, service, connection, form, signIn, steps }
}
