/** Result of one sign-in, in the words that both libraries share, so that they can be compared. */
import { FoyerError, type IdTokenClaims, type TokenSet } from 'foyer-sdk'
import { explain } from '../game/explain'
import type { Player, Progress } from '../game/sign-in'
import { duration } from 'kit/format-time'

/** Part of a sign-in at which it failed. */
export type Stage = 'settings' | 'discovery' | 'authorize page' | 'callback' | 'token request' | 'ID token'

/** Values that a sign-in yields. */
export interface Facts {
  player: string
  issuer: string
  audience: string
  scopes: string
  lifetime: string
  refreshToken: string
}

export type Report =
  | { state: 'none' }
  | { state: 'running'; text: string }
  | { state: 'signed in'; facts: Facts; notes?: readonly string[] }
  | { state: 'failed'; stage: Stage; code: string; text: string; notes?: readonly string[] }

export const NONE: Report = { state: 'none' }

const NOT_SENT = 'none'

export function factsOf(
  claims: Partial<Pick<IdTokenClaims, 'sub' | 'iss' | 'aud'>> | undefined,
  tokens: Omit<Facts, keyof typeof EMPTY>,
): Facts {
  if (!claims) return { ...EMPTY, ...tokens }
  const { sub = NOT_SENT, iss = NOT_SENT, aud = NOT_SENT } = claims
  return { player: sub, issuer: iss, audience: [aud].flat().join(' '), ...tokens }
}

const EMPTY = { player: 'no ID token', issuer: 'no ID token', audience: 'no ID token' }

export function tokenSetFacts({ claims, scopes, expiresAt, refreshToken }: TokenSet, now: number): Facts {
  return factsOf(claims, {
    scopes: scopes.toSorted().join(' '),
    lifetime: roundedDuration(expiresAt - now),
    refreshToken: refreshToken ? 'yes' : 'no',
  })
}

/** Formats a lifetime: two libraries measure the same one at different moments. */
export function roundedDuration(ms: number): string {
  return duration(Math.round(ms / 60_000) * 60_000)
}

/** Report of the SDK's own sign-in. `settingsError`: reason why there is no client. */
export function reportOfFoyer(
  { phase, error }: Progress,
  player: Player | null,
  { settingsError, now }: { settingsError?: FoyerError | undefined; now: number },
): Report {
  if (settingsError) return failureOfFoyer(settingsError)
  if (phase === 'waiting') return { state: 'running', text: 'Waiting for the player in the other window.' }
  if (phase === 'redeeming') return { state: 'running', text: 'Redeeming the code.' }
  if (phase === 'failed') return failureOfFoyer(error)
  return phase === 'signed-in' && player
    ? { state: 'signed in', facts: tokenSetFacts(player.tokens, now) }
    : NONE
}

function failureOfFoyer(error: unknown): Report {
  const { code, detail, advice } = explain(error)
  return {
    state: 'failed',
    stage: stageOf(error),
    code: codeOf(error, code),
    text: detail === '' ? advice : `${detail}. ${advice}`,
  }
}

/** Adds the claim or setting to the code: the same code with another claim has another reason. */
function codeOf(error: unknown, code: string): string {
  const path =
    error instanceof FoyerError && 'path' in error && typeof error.path === 'string' ? error.path : undefined
  const named =
    path ??
    (error instanceof FoyerError ? /\b(applicationId|clientId)\b/.exec(error.message)?.[0] : undefined)
  return named === undefined ? code : `${code}: ${named}`
}

const STAGES: Partial<Record<string, Stage>> = {
  invalid_id_token: 'ID token',
  keys_unavailable: 'ID token',
  state_mismatch: 'callback',
  issuer_mismatch: 'callback',
  malformed_callback: 'callback',
  callback_unavailable: 'callback',
  invalid_grant: 'token request',
  invalid_client: 'token request',
  unsupported_grant_type: 'token request',
  malformed_response: 'token request',
  extra_scopes: 'token request',
}

function stageOf(error: unknown): Stage {
  if (!(error instanceof FoyerError)) return 'token request'
  const { name, code } = error
  if (STAGES[code]) return STAGES[code]
  if (name === 'ConfigurationError' || name === 'ValidationError') return 'settings'
  // A service on this machine is checked while its window is open.
  const isOfWindow = name === 'AuthorizationError' || /\bGET\b/.test(error.message)
  return isOfWindow ? 'authorize page' : 'token request'
}
