/** Shared state of all panels: settings, sign-in and its steps. Panels communicate only through this context. */
import { type Signal, signal } from '@preact/signals'
import { onChange } from '../foundation/on-change'
import { type ArgumentsForm, saveArguments, loadArguments } from '../game/arguments-form'
import { SessionLog } from '../game/session-log'
import { createPageClock, type PageClock } from '../game/page-clock'
import type { Preset } from '../game/preset'
import { preview, type Preview } from '../game/preview'
import { clientOptions, connect, type Connection } from '../game/connection'
import { loadService, saveService, type ServiceSettings, sentIdOf } from '../game/service-settings'
import {
  tokenStoreOption,
  profileOf,
  loadStoreKind,
  saveStoreKind,
  type StoreKind,
} from '../game/token-store-option'
import { SignIn } from '../game/sign-in'
import { openFaultControls, type FaultControls } from '../game/fault-controls'
import { ExchangeRecorder } from '../exchanges/exchange-recorder'
import { ChosenExchange } from '../exchanges/chosen-exchange'
import { keepExchanges } from '../exchanges/keep-exchanges'
import { Runs } from '../game/runs'
import { createWorkbench, connectPlayers, type Workbench } from './workbench'
import { type Reach, watchService } from '../game/watch-service'
import { IndependentSignIn } from '../independent/independent-sign-in'
import { ServiceList } from '../game/service-list'
import { PageAddress } from '../foundation/page-address'

export interface DemoContext {
  /** Emulator that was started with the page, or null. */
  readonly preset: Preset | null
  readonly service: Signal<ServiceSettings>
  /** Saved services, and the choice between them. */
  readonly services: ServiceList
  /** Screen, and the state of it that the address bar contains. */
  readonly address: PageAddress
  readonly connection: Signal<Connection>
  /** Storage of the session. */
  readonly storeKind: Signal<StoreKind>
  /** Fault controls of the emulator that was started with the page; undefined while the page uses any other service. */
  readonly faultControls: () => FaultControls | undefined
  readonly sessionLog: SessionLog
  /** Clock of all clients of the page, in step with the emulator's. */
  readonly clock: PageClock
  readonly form: Signal<ArgumentsForm>
  /** Result of the current settings; undefined until the first one is computed. */
  readonly preview: Signal<Preview | undefined>
  readonly signIn: SignIn
  /** Attempts to sign in, each with its steps. */
  readonly runs: Runs
  /** Sign-in by an unrelated library, for comparison. */
  readonly independent: IndependentSignIn
  /** Everything that the page's own client sent and received. */
  readonly exchanges: ExchangeRecorder
  /** Which of them are open. */
  readonly chosenExchange: ChosenExchange
  /** State of the lobby screen. */
  readonly workbench: Workbench
  /** Reports whether the service answers. */
  readonly reach: Signal<Reach>
}

export function createContext(preset: Preset | null): DemoContext {
  const { service, form, address, services } = loadSettings(preset)
  const storeKind = signal(loadStoreKind())
  const clock = createPageClock(preset?.ahead ?? 0)
  const profile = profileOf(location.search)
  const exchanges = new ExchangeRecorder()
  keepExchanges(exchanges)
  const own = () => ({
    ...tokenStoreOption(storeKind.value),
    sentId: sentIdOf(service.value),
    profile,
    clock,
    fetch: exchanges.fetch,
  })
  const connectNow = () => connect(clientOptions(service.value, preset), own())
  const connection = signal(connectNow())
  const reach = watchService({ preset, service, exchanges })
  const runs = new Runs()
  const signIn = new SignIn(runs, exchanges)
  const faultControls = () => (preset && service.value.kind === 'emulator' ? openFaultControls() : undefined)
  const sessionLog = new SessionLog(faultControls, { clock, exchanges, runs })
  connection.subscribe((next) => {
    signIn.use(next)
    sessionLog.use(next)
  })
  const workbench = createWorkbench()
  const settings = { preset, service, services, address, connection, storeKind, form, clock }
  const reconnect = () => {
    connection.value = connectNow()
    void sessionLog.restore()
  }
  followReach({ ...settings, reach, signIn }, reconnect)
  saveChanges(settings, reconnect)
  const chosenExchange = new ChosenExchange(address)
  const independent = new IndependentSignIn({ ...settings, exchanges })
  showRunOf(chosenExchange, { runs, exchanges })
  const derived = { preview: watchPreview({ form, connection }), chosenExchange }
  return {
    ...settings,
    ...derived,
    faultControls,
    sessionLog,
    signIn,
    runs,
    independent,
    exchanges,
    workbench,
    reach,
  }
}

/** Loads what was entered earlier, and what the address of the page chooses. */
function loadSettings(preset: Preset | null): Pick<DemoContext, 'service' | 'form' | 'address' | 'services'> {
  const service = signal(loadService(preset))
  const form = signal(loadArguments())
  const address = new PageAddress(preset || service.value.host ? 'player' : 'service')
  return {
    service,
    form,
    address,
    services: new ServiceList({ service, form, address, hasEmulator: preset !== null }),
  }
}

function saveChanges(
  { service, storeKind, form }: Pick<DemoContext, 'service' | 'storeKind' | 'form'>,
  reconnect: () => void,
): void {
  onChange(service, (chosen) => {
    saveService(chosen)
    reconnect()
  })
  onChange(storeKind, (kind) => {
    saveStoreKind(kind)
    reconnect()
  })
  onChange(form, saveArguments)
}

/** An exchange that is to be shown belongs to a run, which is then the shown one. */
function showRunOf(
  { wanted }: ChosenExchange,
  { runs, exchanges }: Pick<DemoContext, 'runs' | 'exchanges'>,
): void {
  wanted.subscribe((one) => {
    const run = exchanges.list.value.find(({ id }) => id === one?.id)?.run
    if (run !== undefined) runs.choose(run)
  })
}

type Reached = Pick<DemoContext, 'reach' | 'service' | 'signIn' | 'clock' | 'preset'>

function followReach({ reach, service, signIn, clock, preset }: Reached, reconnect: () => void): void {
  onChange(reach, (now) => {
    // The window shows an error page of the browser by now. A sign-in at another service reports its own failure.
    if (now === 'lost' && service.value.kind === 'emulator') signIn.cancel()
    if (now !== 'restarted') return
    clock.skip((preset?.ahead ?? 0) - (clock.now() - Date.now()))
    reconnect()
  })
}

/** Opens the lobby screen. Call it after the page's own client has read the address bar: a callback there is not for the two players. */
export function connectWorkbench({
  workbench,
  connection,
  service,
  preset,
  faultControls,
  clock,
}: DemoContext): void {
  connection.subscribe(({ error, sentId }) => {
    if (!error && sentId === undefined)
      void connectPlayers(
        workbench,
        { ...clientOptions(service.value, preset), clock },
        { hasStream: faultControls() !== undefined },
      )
  })
}

function watchPreview(settings: Pick<DemoContext, 'form' | 'connection'>): Signal<Preview | undefined> {
  const shown = signal<Preview | undefined>(undefined)
  const update = () => void showPreview(shown, settings)
  onChange(settings.form, update)
  settings.connection.subscribe(update)
  return shown
}

/** Updates the preview, and drops a result whose settings have changed meanwhile. */
async function showPreview(
  shown: Signal<Preview | undefined>,
  { form, connection }: Pick<DemoContext, 'form' | 'connection'>,
): Promise<void> {
  const now = { form: form.value, connection: connection.value }
  const next = await preview(now.form, now.connection)
  if (now.form === form.value && now.connection === connection.value) shown.value = next
}

/** Starts a sign-in. Call it inside the player's click or key press. With invalid settings it shows the error and opens nothing. */
export function startSignIn({ form, preview: { value: shown }, signIn, reach }: DemoContext): void {
  // The notice above the page has the reason; a window would only show the browser's error page.
  if (reach.value === 'lost') return
  if (shown?.error) signIn.refuse(shown.error, form.value.mode)
  else signIn.start(form.value)
}
