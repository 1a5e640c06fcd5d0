/** Choice of a service: the emulator, a saved one, or one that is being typed in. The address of the page contains it. */
import { type Signal, signal } from '@preact/signals'
import { onChange } from '../foundation/on-change'
import type { PageAddress } from '../foundation/page-address'
import { readSettings, saveSettings } from '../foundation/saved-settings'
import { SERVICE_FIELDS, type ServiceSettings } from './service-settings'
import {
  addServices,
  changeService,
  importServices,
  loadServices,
  restoreService,
  type SavedService,
  storeServices,
} from './saved-service'
import type { ArgumentsForm } from './arguments-form'

const DRAFT = 'draft'

interface Choosing {
  service: Signal<ServiceSettings>
  form: Signal<ArgumentsForm>
  address: PageAddress
  /** True if there is an emulator. */
  hasEmulator: boolean
}

/** Service that a link names. */
export interface OfferedService {
  /** As `chosen` names it. */
  readonly key: string
  readonly name: string
}

export class ServiceList {
  readonly saved = signal<readonly SavedService[]>(loadServices())
  /** Service of a link that was opened, which is not chosen until somebody says so. */
  readonly offered = signal<OfferedService | undefined>(undefined)
  readonly #choosing: Choosing

  constructor(choosing: Choosing) {
    this.#choosing = choosing
    const { service, form, address } = choosing
    const opened = this.chosen
    let chosen = opened
    this.#read(address.current.value.parameters['service'] ?? opened)
    onChange(service, (now) => {
      this.#keep(now, form.value.scopes)
      if (chosen !== this.chosen) address.change({ service: this.chosen }, { push: true })
      chosen = this.chosen
    })
    onChange(form, ({ scopes }) => this.#keep(service.value, scopes))
    onChange(address.current, ({ parameters }) => {
      const wanted = parameters['service'] ?? opened
      // Set first: the address has this service already.
      if (address.isOwn) chosen = wanted
      this.#read(wanted)
    })
    onChange(this.saved, storeServices)
  }

  /** `emulator`, `custom` for one that is being typed in, or the id of a saved one. */
  get chosen(): string {
    const { kind, saved } = this.#choosing.service.value
    return kind === 'emulator' ? kind : (saved ?? 'custom')
  }

  /** Follows the buttons back and forward. A link to another service is an offer: it changes nothing by itself. */
  #read(wanted: string): void {
    const { address } = this.#choosing
    if (wanted === this.chosen) return address.accept()
    if (address.isOwn) return this.choose(wanted)
    this.offered.value = this.#describe(wanted)
    address.change({ service: this.chosen })
  }

  #describe(key: string): OfferedService | undefined {
    if (key === 'emulator') return this.#choosing.hasEmulator ? { key, name: 'the emulator' } : undefined
    if (key === 'custom')
      return { key, name: readSettings(DRAFT)['host'] || 'the service that is being typed in' }
    const one = this.saved.value.find(({ id }) => id === key)
    return one && { key, name: one.name }
  }

  /** Chooses a service as `chosen` names it. An unknown one changes nothing. */
  choose(key: string): void {
    const { service, form, hasEmulator } = this.#choosing
    this.offered.value = undefined
    if (key === 'emulator') {
      if (hasEmulator) service.value = { ...service.value, kind: 'emulator' }
      return
    }
    if (key === 'custom') {
      service.value = { ...readSettings(DRAFT), kind: 'custom' }
      return
    }
    const one = this.saved.value.find(({ id }) => id === key)
    if (!one) return
    const { id, name: _, scopes, ...fields } = one
    service.value = { ...fields, kind: 'custom', saved: id }
    if (scopes !== undefined) form.value = { ...form.value, scopes }
  }

  /** Saves the current settings under a name, and chooses the new entry. */
  saveAs(name: string): void {
    const { service, form } = this.#choosing
    const entry = { name, ...fieldsOf(service.value), scopes: form.value.scopes }
    this.saved.value = addServices(this.saved.value, [entry])
    const added = this.saved.value.at(-1)
    if (service.value.saved === undefined) saveSettings(DRAFT, {})
    if (added) service.value = { ...service.value, kind: 'custom', saved: added.id }
  }

  rename(id: string, name: string): void {
    const one = this.saved.value.find((entry) => entry.id === id)
    if (one) this.saved.value = changeService(this.saved.value, { ...one, name: name.trim() })
  }

  /** Removes an entry; its settings stay in the form. Returns a function that undoes it. */
  remove(id: string): () => void {
    const { service } = this.#choosing
    const index = this.saved.value.findIndex((entry) => entry.id === id)
    const removed = this.saved.value[index]
    if (!removed) return () => undefined
    this.saved.value = this.saved.value.toSpliced(index, 1)
    const { saved: before, ...rest } = service.value
    const wasChosen = before === id
    if (wasChosen) service.value = rest
    return () => {
      this.saved.value = restoreService(this.saved.value, removed, index)
      if (wasChosen) service.value = { ...service.value, saved: id }
    }
  }

  /** Adds the services of an exported text; returns a report. @throws ImportError */
  import(text: string): string {
    const { services, leftOut } = importServices(text)
    this.saved.value = addServices(this.saved.value, services)
    const added = services.length === 1 ? '1 service was added.' : `${services.length} services were added.`
    return leftOut.length === 0 ? added : `${added} Left out: ${leftOut.join(', ')}. Secrets are never saved.`
  }

  /** Keeps the settings in their entry, or as a draft. */
  #keep(settings: ServiceSettings, scopes: string): void {
    if (settings.kind === 'emulator') return
    const fields = fieldsOf(settings)
    const entry = this.saved.value.find(({ id }) => id === settings.saved)
    if (entry)
      this.saved.value = changeService(this.saved.value, {
        id: entry.id,
        name: entry.name,
        ...fields,
        scopes,
      })
    else if (settings.saved === undefined) saveSettings(DRAFT, fields)
  }
}

function fieldsOf(settings: ServiceSettings): Partial<Record<(typeof SERVICE_FIELDS)[number], string>> {
  return Object.fromEntries(
    SERVICE_FIELDS.flatMap((field): [string, string][] => {
      const text = settings[field]
      return text === undefined || text === '' ? [] : [[field, text]]
    }),
  )
}
