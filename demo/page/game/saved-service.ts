/** Services that are saved in the browser, without any secret: named, and exchanged with others as JSON. */
import { readText, saveText } from '../foundation/saved-settings'
import { SERVICE_FIELDS, type ServiceField } from './service-settings'

export type SavedService = { id: string; name: string; scopes?: string } & Partial<
  Record<ServiceField, string>
>

/** Fields that are saved. All others are dropped, secrets too. */
const FIELDS = [...SERVICE_FIELDS, 'scopes'] as const
const SETTING = 'services'
const FORMAT = 'foyer-demo-services'
/** Maximum length of a field, in characters. */
const MAX_LENGTH = 2000
/** Maximum length of a name, in characters. */
const MAX_NAME = 60
/** Maximum number of services in one file. */
const MAX_SERVICES = 200

/** Failure of an import, in words for the person at the page. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

export function loadServices(): SavedService[] {
  const stored: unknown = parse(readText(SETTING) ?? '[]')
  return Array.isArray(stored) ? withUniqueIds([], stored.flatMap(readService)) : []
}

export function storeServices(services: readonly SavedService[]): void {
  saveText(SETTING, JSON.stringify(services))
}

/** Adds services under free names and ids. */
export function addServices(
  services: readonly SavedService[],
  added: readonly Omit<SavedService, 'id'>[],
): SavedService[] {
  return withUniqueIds(services, added)
}

/** Replaces the service with this id; a name that is taken or empty stays as it was. */
export function changeService(services: readonly SavedService[], changed: SavedService): SavedService[] {
  const isTaken = services.some(({ id, name }) => id !== changed.id && name === changed.name)
  return services.map((one) => {
    if (one.id !== changed.id) return one
    return { ...changed, name: isTaken || changed.name === '' ? one.name : changed.name.slice(0, MAX_NAME) }
  })
}

/** Puts a removed service back where it was. */
export function restoreService(
  services: readonly SavedService[],
  removed: SavedService,
  index: number,
): SavedService[] {
  return services.toSpliced(Math.min(index, services.length), 0, removed)
}

export function exportServices(services: readonly SavedService[]): string {
  return JSON.stringify({ format: FORMAT, services: services.map(withoutId) }, null, 2)
}

function withoutId({ id: _id, ...rest }: SavedService): Omit<SavedService, 'id'> {
  return rest
}

interface Imported {
  services: Omit<SavedService, 'id'>[]
  /** Names of fields that were left out, such as secrets. */
  leftOut: string[]
}

/** @throws ImportError for a text that has no services. */
export function importServices(text: string): Imported {
  const file = parse(text)
  const { format, services: given } = isRecord(file) ? file : {}
  if (format !== FORMAT || !Array.isArray(given))
    throw new ImportError('This file has no services: export one from this page to compare.')
  const services = given.slice(0, MAX_SERVICES).flatMap(readService)
  if (services.length === 0) throw new ImportError('No service in this file has a name and a host.')
  const names = given.filter(isRecord).flatMap((one) => Object.keys(one))
  return {
    services,
    leftOut: [...new Set(names)].filter((name) => name !== 'name' && !FIELDS.some((field) => field === name)),
  }
}

function readService(value: unknown): Omit<SavedService, 'id'>[] {
  if (!isRecord(value)) return []
  const { name, host } = value
  if (typeof name !== 'string' || name.trim() === '' || typeof host !== 'string') return []
  const fields = FIELDS.flatMap((field): [string, string][] => {
    const text = value[field]
    return typeof text === 'string' && text.length <= MAX_LENGTH ? [[field, text]] : []
  })
  return [{ name: name.trim().slice(0, MAX_NAME), ...Object.fromEntries(fields) }]
}

function withUniqueIds(
  services: readonly SavedService[],
  added: readonly Omit<SavedService, 'id'>[],
): SavedService[] {
  const all = [...services]
  for (const one of added) {
    const name = freeText(one.name, (text) => all.some((other) => other.name === text))
    // The radio buttons of the page use the other two.
    const id = freeText(
      slug(name),
      (text) => text === 'emulator' || text === 'custom' || all.some((other) => other.id === text),
    )
    all.push({ ...one, name, id })
  }
  return all
}

function freeText(text: string, isTaken: (text: string) => boolean): string {
  if (!isTaken(text)) return text
  let number = 2
  while (isTaken(`${text}-${number}`)) number++
  return `${text}-${number}`
}

function slug(name: string): string {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return words.replaceAll(/^-|-$/g, '') || 'service'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
