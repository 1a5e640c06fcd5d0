/** Loads the part of `foyer-sdk/server` that these commands use. */
// It comes from the project in which they run, since the game deploys with that version.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { UsageError } from '../read-arguments.js'

export interface Issue {
  path: string
  code: string
  message: string
  level: 'error' | 'warning'
}

export interface Plan {
  steps: readonly { action: 'create' | 'update' | 'delete' }[]
  keeps: readonly unknown[]
  warnings: readonly Issue[]
  budget: { creates: number; limit: number }
  toString(): string
}

export interface SyncProgress {
  step: { action: 'create' | 'update' | 'delete'; command?: { name: string }; existing?: { name: string } }
  done: number
  total: number
}

export interface SyncOptions {
  allowEmpty: boolean
  onPlan: (plan: Plan) => void
  onStep: (progress: SyncProgress) => void
}

export interface Commands {
  plan(desired: unknown): Promise<Plan>
  sync(desired: unknown, options: SyncOptions): Promise<{ plan: Plan; requests: number }>
}

export interface Sdk {
  validateCommands(list: unknown, options: { scope: 'global' | 'guild' }): Issue[]
  botToken(token: string): unknown
  ApplicationClient: new (options: { applicationId: string; service: { host: string }; credentials: unknown }) => {
    commands: { global: Commands; guild(id: string): Commands }
  }
}

/** @throws UsageError if foyer-sdk is not installed in the project. */
export function loadSdk(folder: string = process.cwd()): Sdk {
  try {
    const sdk: Sdk = createRequire(join(folder, 'package.json'))('foyer-sdk/server')
    return sdk
  } catch (error) {
    throw new UsageError(
      `this needs foyer-sdk in ${folder}: npm install foyer-sdk (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`,
    )
  }
}
