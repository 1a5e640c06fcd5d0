/** What every panel gets: the settings, the sign-in and its story. A panel is one `mount`; panels know each other only through this. */
import { type ArgumentsForm, rememberArguments, rememberedArguments } from './game/arguments-form'
import { SessionLog } from './game/session-log'
import { createPageClock, type PageClock } from './game/page-clock'
import type { Preset } from './game/preset'
import { preview, type Preview } from './game/preview'
import { clientOptions, connect, type Connection, rememberedService, rememberService, type ServiceSettings } from './game/service-settings'
import { keepIn, profileOf, rememberedStore, rememberStore, type StoreKind } from './game/session-store'
import { SignIn } from './game/sign-in'
import { openFaultControls, type FaultControls } from './game/fault-controls'
import { SignInSteps } from './game/sign-in-steps'
import { createWorkbench, seatPlayers, type Workbench } from './game/workbench'
import { Store } from './store'

export interface DemoContext {
  /** The emulator beside the page, or null. */
  readonly preset: Preset | null
  readonly service: Store<ServiceSettings>
  readonly connection: Store<Connection>
  /** Where the session is kept. */
  readonly kept: Store<StoreKind>
  /** Tricks on the emulator beside the page; undefined while the page talks to any other service. */
  readonly stage: () => FaultControls | undefined
  readonly life: SessionLog
  /** What the hour is for all clients of the page: that of the emulator. */
  readonly clock: PageClock
  readonly form: Store<ArgumentsForm>
  /** What the settings come to; undefined until it is known for the first time. */
  readonly preview: Store<Preview | undefined>
  readonly signIn: SignIn
  readonly steps: SignInSteps
  /** The lobby screen. */
  readonly workbench: Workbench
}

/** Fills an empty element with a panel. */
export type Mount = (element: HTMLElement, context: DemoContext) => void

export function createContext(preset: Preset | null): DemoContext {
  const service = new Store(rememberedService(preset))
  const form = new Store(rememberedArguments())
  const kept = new Store(rememberedStore())
  const clock = createPageClock(preset?.ahead ?? 0)
  const profile = profileOf(location.search)
  const connectNow = () => connect(clientOptions(service.value, preset), { ...keepIn(kept.value), profile, clock })
  const connection = new Store(connectNow())
  const steps = new SignInSteps()
  const signIn = new SignIn(steps)
  const stage = () => (preset && service.value.kind === 'emulator' ? openFaultControls() : undefined)
  const life = new SessionLog(stage, clock)
  connection.watch((next) => {
    signIn.use(next)
    life.use(next)
  })
  const workbench = createWorkbench()
  const reconnect = () => {
    connection.set(connectNow())
    void life.restore()
  }
  service.onChange((settings) => {
    rememberService(settings)
    reconnect()
  })
  kept.onChange((kind) => {
    rememberStore(kind)
    reconnect()
  })
  form.onChange(rememberArguments)
  const shown = new Store<Preview | undefined>(undefined)
  const rehearse = () => void showPreview(shown, { form, connection })
  form.onChange(rehearse)
  connection.watch(rehearse)
  return { preset, service, connection, kept, stage, life, clock, form, preview: shown, signIn, steps, workbench }
}

/** Once the page's own client has looked at the address bar: an answer that stands there is not for these two. */
export function openWorkbench({ workbench, connection, service, preset, stage, clock }: DemoContext): void {
  connection.watch(({ error }) => {
    if (!error) void seatPlayers(workbench, { ...clientOptions(service.value, preset), clock }, stage() !== undefined)
  })
}

/** An answer to settings that have changed meanwhile is dropped. */
async function showPreview(
  shown: Store<Preview | undefined>,
  { form, connection }: Pick<DemoContext, 'form' | 'connection'>,
): Promise<void> {
  const now = { form: form.value, connection: connection.value }
  const next = await preview(now.form, now.connection)
  if (now.form === form.value && now.connection === connection.value) shown.set(next)
}

/** Call it inside the player's click or key press: with settings that are at fault it says so, and opens nothing. */
export function startSignIn({ form, preview: { value: shown }, signIn }: DemoContext): void {
  if (shown?.error) signIn.refuse(shown.error, form.value.mode)
  else signIn.start(form.value)
}
