/** Describes the registration of the scheme and the test link in words, with the remedy of what is missing. */
import type { SetupReports } from '../../setup/contract'
import type { Finding } from './finding'

type Report = SetupReports['link']

export function linkFindings(report: Report, platform: string): Finding[] {
  const { scheme, isDefault, registered, arrivedAfter } = report
  const remedy = remedyFor(platform, scheme)
  const registration: Finding = isDefault
    ? { result: 'passed', what: 'Registration', text: `The system opens ${scheme}: links with this app.` }
    : {
        result: 'warning',
        what: 'Registration',
        text: `The system does not report that it opens ${scheme}: links with this app. ${registered ? 'The game says so itself (option scheme.registered).' : 'Sign-in uses the loopback interface instead.'} ${remedy}`,
      }
  if (arrivedAfter === undefined)
    return [registration, { result: 'failed', what: 'Test link', text: lostText(report, remedy) }]
  return [
    registration,
    { result: 'passed', what: 'Test link', text: `The link arrived after ${arrivedAfter} ms.` },
    refusal(report),
  ]
}

function lostText({ sent, scheme }: Report, remedy: string): string {
  return sent
    ? `The link was sent, and did not arrive within 10 seconds: no app or another app opens ${scheme}: links. ${remedy}`
    : `The system refused to open the link: no app is registered for ${scheme}: links. ${remedy}`
}

function refusal({ refusal: code }: Report): Finding {
  const what = 'Refusal'
  return code === undefined
    ? {
        result: 'failed',
        what,
        text: 'The link arrived, but the SDK did not report that it refused it. Is the client closed?',
      }
    : { result: 'passed', what, text: `The SDK refused the link (${code}), because no sign-in waits for it.` }
}

function remedyFor(platform: string, scheme: string): string {
  if (platform === 'darwin')
    return 'macOS: package the game with the scheme in CFBundleURLTypes of Info.plist, move it to Applications, and start it once.'
  if (platform === 'win32')
    return 'Windows: each start of the game registers it, except as MSIX or AppX, whose manifest must declare the protocol. Look in Settings, Apps, Default apps.'
  return `Linux: install a desktop entry with MimeType=x-scheme-handler/${scheme}, whose name is desktopName in package.json. "xdg-mime query default x-scheme-handler/${scheme}" prints the entry that the system uses.`
}

export function linkFacts({ scheme, command }: Report, platform: string): [string, string][] {
  const source = { darwin: 'Info.plist of the package', linux: 'the desktop entry of the package' }[platform]
  return [
    ['Scheme', `${scheme}:`],
    ['Command', `${command.map((part) => (/\s/.test(part) ? `"${part}"` : part)).join(' ')} <link>`],
    ...(source === undefined ? [] : [['Registered by', source] satisfies [string, string]]),
  ]
}
