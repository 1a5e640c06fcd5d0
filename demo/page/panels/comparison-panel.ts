/** Sign-in by an unrelated library beside the one of Foyer: the same service, client and scopes, and whose fault a failure is. */
import { onChange } from '../on-change'
import { type DemoContext, type Mount, startSignIn } from '../panel-context'
import type { IndependentSignIn } from '../game/independent-sign-in'
import { compareSignIns, type Verdict } from '../independent/compare-sign-ins'
import { type Facts, type Report, reportOfFoyer } from '../independent/sign-in-report'
import { busy } from '../ui/busy-line'
import { type Child, h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'
import { clientAuthentication } from './client-authentication-field'

const ROWS: Record<keyof Facts, string> = {
  player: 'Player (sub)',
  issuer: 'Issuer (iss)',
  audience: 'Audience (aud)',
  scopes: 'Scopes',
  lifetime: 'Lifetime',
  refreshToken: 'Refresh token',
}
const FACT_NAMES = ['player', 'issuer', 'audience', 'scopes', 'lifetime', 'refreshToken'] as const

export const mountComparison: Mount = (element, context) => {
  const { independent, signIn, connection, sessionLog } = context
  const { body } = panel(element, 'Whose fault is it?', [
    'Signs in with the same settings by oauth4webapi, a library that shares nothing with Foyer but the window and its callback page.',
  ])
  const table = h('div', { class: 'comparison' })
  const verdict = h('p', { class: 'verdict', role: 'status' })
  body.append(clientAuthentication(context), startButtons(context), table, verdict, tokenButtons(independent))
  const show = () => {
    const foyer = reportOfFoyer(signIn.progress.value, signIn.player.value, {
      settingsError: connection.value.error,
      now: sessionLog.now(),
    })
    const other = independent.report.value
    table.replaceChildren(comparisonTable(foyer, other))
    verdict.replaceChildren(...verdictWords(compareSignIns(foyer, other)))
  }
  for (const shown of [signIn.progress, signIn.player, connection, independent.report]) onChange<unknown>(shown, show)
  show()
}

function startButtons(context: DemoContext): HTMLElement {
  const { independent, signIn } = context
  const foyer = h('button', { type: 'button', class: 'secondary', onclick: () => startSignIn(context) }, ['Sign in with Foyer'])
  const other = h('button', { type: 'button', class: 'secondary', id: 'with-oauth4webapi', onclick: () => void independent.start() }, [
    'Sign in with oauth4webapi',
  ])
  const open = h('button', { type: 'button', class: 'secondary', id: 'open-window', onclick: () => void independent.openBlocked() }, [
    'Open the window',
  ])
  const cancel = h('button', { type: 'button', class: 'secondary', onclick: () => void [signIn.cancel(), independent.cancel()] }, [
    'Cancel',
  ])
  const show = () => {
    const isRunning = independent.report.value.state === 'running'
    foyer.disabled = signIn.busy
    other.disabled = isRunning
    cancel.hidden = !signIn.busy && !isRunning
  }
  independent.report.subscribe(show)
  onChange(signIn.progress, show)
  independent.blocked.subscribe((attempt) => (open.hidden = attempt === undefined))
  return h('div', { class: 'buttons' }, [foyer, other, open, cancel])
}

function comparisonTable(foyer: Report, other: Report): HTMLElement {
  const isEmpty = foyer.state === 'none' && other.state === 'none'
  if (isEmpty) return h('p', { class: 'empty' }, ['Nobody has signed in yet. The results of both libraries appear here, side by side.'])
  const facts = FACT_NAMES.filter(() => foyer.state === 'signed in' || other.state === 'signed in')
  return h('table', { class: 'compared' }, [
    h('caption', { class: 'visually-hidden' }, ['Results of both libraries']),
    h('thead', {}, [h('tr', {}, [h('td'), h('th', { scope: 'col' }, ['Foyer']), h('th', { scope: 'col' }, ['oauth4webapi'])])]),
    h('tbody', {}, [
      row('Result', outcomeCell(foyer), outcomeCell(other)),
      ...facts.map((name) => row(ROWS[name], factCell(foyer, name), factCell(other, name))),
    ]),
  ])
}

function row(name: string, foyer: Child[], other: Child[]): HTMLElement {
  return h('tr', {}, [
    h('th', { scope: 'row' }, [name]),
    h('td', { 'data-party': 'Foyer' }, foyer),
    h('td', { 'data-party': 'oauth4webapi' }, other),
  ])
}

function outcomeCell(report: Report): Child[] {
  if (report.state === 'none') return ['not run']
  if (report.state === 'running') return [busy(report.text)]
  const notes = (report.notes ?? []).map((note) => h('p', { class: 'hint' }, [note]))
  if (report.state === 'signed in') return [h('p', { class: 'result-good' }, [icon('check'), 'signed in']), ...notes]
  return [
    h('p', { class: 'result-bad' }, [icon('cross'), `failed at the ${report.stage}`]),
    h('p', {}, [h('code', {}, [report.code])]),
    h('p', { class: 'hint' }, [report.text]),
    ...notes,
  ]
}

function factCell(report: Report, name: keyof Facts): Child[] {
  return report.state === 'signed in' ? [h('code', {}, [report.facts[name]])] : ['—']
}

function verdictWords({ party, text }: Verdict): Child[] & (Node | string)[] {
  if (party === 'unknown') return [text]
  const claim = party === 'nobody' ? 'Nobody is at fault.' : `At fault: ${party}.`
  return [icon(party === 'nobody' ? 'check' : 'warning'), h('span', {}, [h('strong', {}, [claim]), ` ${text}`])]
}

/** Buttons for the tokens of the unrelated library. */
function tokenButtons(independent: IndependentSignIn): HTMLElement {
  const status = h('p', { class: 'hint', role: 'status' })
  const act = async (action: 'refresh' | 'revoke') => {
    status.replaceChildren(busy(action === 'refresh' ? 'Refreshing…' : 'Revoking…'))
    status.textContent = await independent.act(action)
  }
  const button = (label: string, action: 'refresh' | 'revoke') =>
    h('button', { type: 'button', class: 'secondary', onclick: () => void act(action) }, [label])
  const element = h('div', { class: 'token-buttons' }, [
    h('h3', {}, ['Tokens of oauth4webapi']),
    h('div', { class: 'buttons' }, [button('Refresh now', 'refresh'), button('Revoke', 'revoke')]),
    status,
    h('p', { class: 'hint' }, ['Foyer’s own session is refreshed and revoked under Sign-in, Lifecycle.']),
  ])
  independent.report.subscribe(({ state }) => {
    element.hidden = state !== 'signed in'
    status.textContent = ''
  })
  return element
}
