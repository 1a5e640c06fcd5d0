/** Compares the sign-in of Foyer with the one of an unrelated library, and says whose fault a failure is. Pure. */
import type { Report } from '../../independent/report'

export interface Verdict {
  /** `unknown` until both have run. */
  party: 'nobody' | 'the service or its settings' | 'Foyer or its settings' | 'this attempt' | 'unknown'
  text: string
}

/** Rules of Foyer that OpenID Connect does not have. */
const STRICTER: Partial<Record<string, string>> = {
  'invalid_id_token: sub': 'player ids are decimal numbers, while OpenID Connect allows any text',
  'invalid_argument: applicationId': 'application ids are decimal numbers, while OAuth allows any text',
  'invalid_argument: clientId': 'application ids are decimal numbers, while OAuth allows any text',
  'malformed_response: expires_in':
    'a token response has to state its lifetime, while OAuth only recommends that',
  'malformed_response: scope': 'the scopes of the response follow the strict grammar of OAuth',
  invalid_client:
    'a game is a public client and never sends a secret, so the issuer has to accept it without one',
  extra_scopes: 'a service must not grant scopes that nobody requested',
  malformed_response: 'a response has to follow the grammar of OAuth to the letter',
}

/** Failures that belong to one attempt and say nothing about a service. */
const OF_THE_ATTEMPT = /^(access_denied|aborted|window_closed|timed_out|popup_blocked|stale|offline)\b/

export function compareSignIns(foyer: Report, other: Report): Verdict {
  if (isPending(foyer) || isPending(other))
    return { party: 'unknown', text: 'Sign in with both, and the results are compared here.' }
  const single = [foyer, other].find((one) => one.state === 'failed' && OF_THE_ATTEMPT.test(one.code))
  if (single)
    return {
      party: 'this attempt',
      text: 'One attempt was ended by the player or the browser, so it says nothing about the service. Run it again.',
    }
  if (foyer.state === 'failed')
    return other.state === 'failed' ? bothFailed(foyer, other) : onlyFoyerFailed(foyer)
  return other.state === 'failed' ? onlyOtherFailed(other) : bothSignedIn(foyer, other)
}

type Failed = Extract<Report, { state: 'failed' }>
type Done = Extract<Report, { state: 'signed in' }>

function isPending(report: Report): report is Exclude<Report, Failed | Done> {
  return report.state === 'none' || report.state === 'running'
}

function bothFailed(foyer: Failed, other: Failed): Verdict {
  const party = 'the service or its settings'
  const text =
    foyer.stage === other.stage
      ? `Two unrelated libraries fail at the ${foyer.stage}: the service, or the settings that both use, is at fault.`
      : `Both fail, Foyer at the ${foyer.stage} and oauth4webapi at the ${other.stage}. Fix the earlier one first: it is a fault of the service or the settings.`
  return { party, text }
}

function onlyFoyerFailed({ code, stage }: Failed): Verdict {
  const rule = STRICTER[code] ?? STRICTER[code.split(':', 1)[0] ?? '']
  const party = 'Foyer or its settings'
  if (rule)
    return {
      party,
      text: `Foyer is stricter than the issuer: in Foyer ${rule}. The issuer is not at fault, but Foyer cannot be used with it as it is.`,
    }
  return {
    party,
    text: `The unrelated library signs in, so the service works. Foyer fails at the ${stage}: compare its addresses and issuer in the settings with those of the discovery document. If they agree, report a fault of Foyer.`,
  }
}

function onlyOtherFailed({ stage }: Failed): Verdict {
  if (stage === 'discovery')
    return {
      party: 'the service or its settings',
      text: 'Foyer needs no discovery document; the one of this service has a fault.',
    }
  return {
    party: 'the service or its settings',
    text: `Foyer signs in, and the unrelated library refuses the ${stage}. The service deviates from a standard that Foyer does not check, or the client secret is missing or wrong.`,
  }
}

function bothSignedIn(foyer: Done, other: Done): Verdict {
  if (foyer.facts.player !== other.facts.player)
    return {
      party: 'nobody',
      text: 'Both sign in, as two different players. Choose the same one to compare the rest.',
    }
  return { party: 'nobody', text: 'Both sign in the same player: service, settings and Foyer fit together.' }
}
