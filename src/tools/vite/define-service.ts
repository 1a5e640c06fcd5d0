/** Variables of the page: the emulator's in development, those of the environment in a build. */
import type { Plugin } from 'vite'
import { closestName } from '../../shared/foundation/options'
import { isLoopback } from './loopback'

/** Values that the page reads. */
export interface ServiceVariables {
  /** Origin of the service. */
  host: string
  /** Application id. */
  applicationId: string
}

/** Returns the replacements of `import.meta.env.VITE_FOYER_…`; they win over `.env` files. */
export function defineService({ host, applicationId }: ServiceVariables): Record<string, string> {
  return {
    'import.meta.env.VITE_FOYER_HOST': JSON.stringify(host),
    'import.meta.env.VITE_FOYER_APPLICATION_ID': JSON.stringify(applicationId),
  }
}

/** Warns of secrets in the page, and of a build whose players could not sign in. */
export function warnAboutService(): Plugin {
  return {
    name: 'foyer:check-service',
    configResolved({ env, logger, build, command }) {
      for (const name of secretsOf(env))
        logger.warn(`foyer: ${name} becomes part of the page, where every player can read it: remove VITE_`)
      if (build.ssr || command === 'serve') return
      for (const warning of serviceWarnings(env)) logger.warn(`foyer: ${warning}`)
    },
  }
}

const SECRET = /^VITE_.*(SECRET|BOT_TOKEN|PRIVATE_KEY)/

/** Names of variables that hold a secret, and that Vite writes into the page. */
const secretsOf = (env: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(env).filter((name) => SECRET.test(name) && Boolean(env[name]))

/** Files that a build reads. */
const FILES = '.env.production, or into .env if a backend reads it too'

/** Returns the faults of the variables of a build. */
function serviceWarnings(env: Readonly<Record<string, unknown>>): string[] {
  const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = env
  const missing = Object.entries({ VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId })
    .filter(([, value]) => !value)
    .map(([name]) => name)
  const warnings: string[] = []
  if (missing.length > 0)
    warnings.push(
      `${missing.join(' and ')} not set: put the service of your players into ${FILES}${missing.map((name) => otherName(name, env)).join('')}`,
    )
  if (typeof host === 'string' && isLoopback(host))
    warnings.push(
      `VITE_FOYER_HOST is ${host}, which no player can reach: put that of your players into ${FILES}`,
    )
  return warnings
}

/** A variable that was probably meant to be this one. */
function otherName(name: string, env: Readonly<Record<string, unknown>>): string {
  const given = Object.keys(env)
  const bare = name.replace('FOYER_', '')
  const other =
    given.find((each) => each === bare) ?? given.find((each) => closestName(each, [name]) !== undefined)
  return other === undefined ? '' : `. ${other} is set, and not read: call it ${name}`
}
