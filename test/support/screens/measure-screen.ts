/** Measures one state of a page of any engine: both themes, three widths, a font twice as large, the keyboard, and the content policy. */
import { AXE_COLOR_FAULTS, AXE_FAULTS, CUT_OFF, SIDEWAYS } from '../../browser/demo-page'
import type { EnginePage } from '../engines/engine'
import { keyboardFaults } from './keyboard'

export interface Look {
  readonly width: number
  readonly theme: 'light' | 'dark'
  readonly font: '100%' | '200%'
}

/** `keyboard`: a control that Tab does not reach. `focus`: one that does not show that it has the focus. `policy`: a report of the content policy. */
export type FaultKind = 'axe' | 'overflow' | 'cut off' | 'keyboard' | 'focus' | 'policy'

export interface Fault {
  readonly kind: FaultKind
  readonly text: string
}

const WIDTHS = [320, 768, 1440]

export const LOOKS: readonly Look[] = WIDTHS.flatMap((width): Look[] => [
  { width, theme: 'light', font: '100%' },
  { width, theme: 'dark', font: '100%' },
  { width, theme: 'dark', font: '200%' },
])

const USUAL: Look = { width: 1440, theme: 'light', font: '100%' }

/** Collects the reports of the content policy from now on. */
const COLLECT_REPORTS = `window.policyReports ??= []
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  window.policyReports.push(effectiveDirective + ' ' + blockedURI)
})`

/** Prepares a page for `measureScreen`, before it opens the screen. WebKit's driver cannot: no report of a page is read there. */
export const collectReports = (page: EnginePage): Promise<void> =>
  page.runFirst(COLLECT_REPORTS).catch(() => undefined)

/** Changes a page without loading it again, and stops its animations. */
export async function applyLook(page: EnginePage, { width, theme, font }: Look): Promise<void> {
  await page.evaluate(
    `Object.assign(document.documentElement.style, { fontSize: '${font}', colorScheme: '${theme}' })`,
  )
  await page.evaluate("(document.documentElement.dataset.motion = 'reduced')")
  // A list of rows measures its font when the window changes.
  await page.resize(width + 1, 900)
  await page.resize(width, 900)
}

export async function measureLook(page: EnginePage, look: Look): Promise<Fault[]> {
  await applyLook(page, look)
  // The light theme at the same width has the same markup and sizes.
  const isOtherTheme = look.theme === 'dark' && look.font === '100%'
  const axe = await page.evaluate<string[]>(isOtherTheme ? AXE_COLOR_FAULTS : AXE_FAULTS)
  const over = await page.evaluate<number>(SIDEWAYS)
  const cutOff = await page.evaluate<string[]>(CUT_OFF)
  const where = `${look.width} px, ${look.theme}, ${look.font}`
  return [
    ...axe.map((fault) => ({ kind: 'axe' as const, text: `${where}: ${fault}` })),
    ...(over > 0 ? [{ kind: 'overflow' as const, text: `${where}: ${over} px wider than the window` }] : []),
    ...cutOff.map((text) => ({ kind: 'cut off' as const, text: `${where}: ${text}` })),
  ]
}

/** The reports of the content policy, then every look, then the keyboard. */
export async function measureScreen(page: EnginePage, looks = LOOKS): Promise<Fault[]> {
  // axe-core makes a style sheet of its own for each import, which the policy reports too.
  const faults: Fault[] = (await page.evaluate<string[]>('window.policyReports ?? []')).map((text) => ({
    kind: 'policy',
    text,
  }))
  for (const look of looks) faults.push(...(await measureLook(page, look)))
  await applyLook(page, USUAL)
  const { unreached, unmarked } = await keyboardFaults(page)
  for (const text of unreached) faults.push({ kind: 'keyboard', text })
  for (const text of unmarked) faults.push({ kind: 'focus', text })
  return faults
}
