/** Runs the sign-in of the unrelated library with the settings of the page, and records its requests. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { FoyerError, popupSurface } from 'foyer-sdk'
import type { ExchangeRecorder } from '../exchanges/exchange-recorder'
import type { ArgumentsForm } from '../game/arguments-form'
import type { PageClock } from '../game/page-clock'
import type { Preset } from '../game/preset'
import type { Attempt, DeviceCode, IndependentClient, IndependentSettings } from './independent-client'
import { type Facts, NONE, type Report } from './report'
import { clientOptions } from '../game/connection'
import type { ServiceSettings } from '../game/service-settings'
import { explain } from '../game/explain'
import { addressesOf } from '../game/addresses-of'

const SENDER = 'oauth4webapi'

/** Authentication of the client. The secret is in memory only. */
export interface ClientAuthentication {
  method: IndependentSettings['method']
  secret: string
}

/** Settings that both libraries use. */
interface SettingsOfSignIn {
  readonly service: ReadonlySignal<ServiceSettings>
  readonly preset: Preset | null
  readonly form: ReadonlySignal<ArgumentsForm>
  readonly clock: PageClock
  readonly exchanges: ExchangeRecorder
}

export class IndependentSignIn {
  readonly report = signal<Report>(NONE)
  /** Attempt whose window the browser blocked: it needs another click. */
  readonly blocked = signal<Attempt | undefined>(undefined)
  readonly authentication = signal<ClientAuthentication>({ method: 'none', secret: '' })
  readonly #context: SettingsOfSignIn
  #client: IndependentClient | undefined
  #running: AbortController | undefined

  constructor(context: SettingsOfSignIn) {
    this.#context = context
    let target = ''
    context.service.subscribe(() => {
      this.cancel()
      this.report.value = NONE
      // A secret belongs to one service: it must not reach another one.
      const next = JSON.stringify([clientOptions(context.service.value, context.preset)])
      if (target !== next) this.authentication.value = { ...this.authentication.value, secret: '' }
      target = next
    })
  }

  /** Starts a sign-in. Call it inside the click. */
  async start(): Promise<void> {
    const running = this.#begin('Reading the configuration of the issuer…')
    await this.#run(running, async (client) => {
      const attempt = await client.prepare()
      try {
        return await this.#ask(client, attempt, running)
      } catch (error) {
        if (!(error instanceof FoyerError) || error.code !== 'popup_blocked') throw error
        this.blocked.value = attempt
        throw error
      }
    })
  }

  /** Opens the window of a blocked attempt. Call it inside the click. */
  async openBlocked(): Promise<void> {
    const attempt = this.blocked.value
    const client = this.#client
    if (!attempt || !client) return
    const running = this.#begin('')
    await this.#run(running, () => this.#ask(client, attempt, running), client)
  }

  cancel(): void {
    this.#running?.abort()
    this.blocked.value = undefined
  }

  /** Refreshes or revokes the tokens; returns the result in words. */
  async act(action: 'refresh' | 'revoke'): Promise<string> {
    try {
      return (await this.#client?.[action]()) ?? 'Sign in first.'
    } catch (error) {
      const { code, text } = failureOf(error)
      return `Refused: ${code}. ${text}`
    }
  }

  /** Signs in by a device code. Rejects with `StageError`. */
  async device(
    aborted: AbortSignal,
    onCode: (code: DeviceCode) => void,
    onPoll: (seconds: number) => void,
  ): Promise<Facts> {
    return (await this.#load(aborted)).device(onCode, onPoll)
  }

  #begin(text: string): AbortController {
    this.cancel()
    this.#running = new AbortController()
    this.report.value = { state: 'running', text }
    return this.#running
  }

  async #run(
    running: AbortController,
    work: (client: IndependentClient) => Promise<Report>,
    held?: IndependentClient,
  ): Promise<void> {
    const report = await this.#attempt(running, work, held)
    if (this.#running !== running) return
    this.#running = undefined
    this.report.value = report
  }

  async #attempt(
    running: AbortController,
    work: (client: IndependentClient) => Promise<Report>,
    held?: IndependentClient,
  ): Promise<Report> {
    try {
      this.#client = held ?? (await this.#load(running.signal))
      return await work(this.#client)
    } catch (error) {
      return failureOf(error)
    }
  }

  async #load(aborted: AbortSignal): Promise<IndependentClient> {
    const { IndependentClient: Independent } = await import('./independent-client')
    const { exchanges } = this.#context
    return new Independent(this.#settings(), (url, init) => exchanges.send(url, init, SENDER), aborted)
  }

  async #ask(
    client: IndependentClient,
    attempt: Attempt,
    { signal: aborted }: AbortController,
  ): Promise<Report> {
    const { url, state, notes } = attempt
    this.report.value = { state: 'running', text: 'Waiting for the player in the other window.' }
    const ended = new AbortController()
    const surface = this.#context.exchanges.recordSurface(this.#surface(), SENDER)
    const options = {
      state,
      maybeClosed: () => undefined,
      belongs: (other: string) => new URL(other).searchParams.get('state') === state,
    }
    try {
      const callbackUrl = await surface.open(url, {
        ...options,
        signal: AbortSignal.any([aborted, ended.signal]),
      })
      this.report.value = { state: 'running', text: 'Redeeming the code.' }
      return { state: 'signed in', facts: await client.finish(attempt, callbackUrl), notes }
    } catch (error) {
      if (error instanceof FoyerError && error.code === 'popup_blocked') throw error
      return { ...failureOf(error), notes }
    } finally {
      ended.abort()
    }
  }

  #surface() {
    const { redirectUri } = this.#options()
    return popupSurface(redirectUri === undefined ? {} : { redirectUri })
  }

  #options() {
    const { service, preset } = this.#context
    return clientOptions(service.value, preset)
  }

  #settings(): IndependentSettings {
    const { form, clock } = this.#context
    const { service, applicationId, redirectUri = 'callback.html' } = this.#options()
    return {
      addresses: addressesOf(service),
      clientId: form.value.clientId || String(applicationId ?? ''),
      redirectUri: new URL(redirectUri, location.href.replace(/[?#].*/, '')).href,
      scopes: form.value.scopes,
      ...this.authentication.value,
      ahead: clock.now() - Date.now(),
    }
  }
}

/** Describes an error of oauth4webapi, or of the window. */
export function failureOf(error: unknown): Extract<Report, { state: 'failed' }> {
  if (error instanceof FoyerError) {
    const { code, advice } = explain(error)
    return { state: 'failed', stage: 'authorize page', code, text: advice }
  }
  if (error instanceof Error && 'stage' in error && 'code' in error)
    return { state: 'failed', stage: stageIn(error.stage), code: String(error.code), text: error.message }
  if (error instanceof TypeError)
    return { state: 'failed', stage: 'settings', code: 'invalid_settings', text: `${error.message}.` }
  return { state: 'failed', stage: 'settings', code: 'unexpected', text: String(error) }
}

const STAGE_NAMES = [
  'settings',
  'discovery',
  'authorize page',
  'callback',
  'token request',
  'ID token',
] as const

function stageIn(stage: unknown) {
  return STAGE_NAMES.find((one) => one === stage) ?? 'settings'
}
