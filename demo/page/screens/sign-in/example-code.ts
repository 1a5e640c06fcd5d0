/** Generates the code that a game would write for the settings of this page. */
import { Client, type ClientOptions } from 'foyer-sdk'
import type { ArgumentsForm } from '../../game/arguments-form'

const WIDTH = 78
const INSTALL = {
  unset: undefined,
  guild: 'IntegrationType.GuildInstall',
  user: 'IntegrationType.UserInstall',
}

export function exampleCode(form: ArgumentsForm, options: ClientOptions): string {
  if (form.mode === 'loopback' || form.mode === 'scheme') return wrapAll(installedGame(form, options))
  const args = callArguments(form)
  const surface =
    form.mode === 'redirect' ? 'redirectSurface' : form.mode === 'popup' && form.redirectUri && 'popupSurface'
  const imports = ['Client', INSTALL[form.install] && 'IntegrationType', surface].filter(Boolean)
  return wrapAll([
    `import { ${imports.join(', ')} } from 'foyer-sdk'`,
    '',
    ...(form.mode === 'paste' ? PASTE : []),
    `const client = new Client(${literal(options)})`,
    ...(form.mode === 'redirect'
      ? ['await client.resume() // when the page starts: takes the answer of a redirect']
      : []),
    `button.onclick = async () => {`,
    ...(form.ownPair
      ? ownPairLines(args, surfaceOption(form))
      : [`  const session = await client.signIn(${call([args, surfaceOption(form)])})`]),
    '}',
  ])
}

/** A page shows the URL, and a field for the address that the player copies from the other browser. */
const PASTE = [
  'const surface = {',
  "  redirectUri: () => 'https://game.example/copy-callback.html',",
  '  open: (url, { belongs, signal }) => showUrlAndAwaitAddress(url, belongs, signal),',
  '}',
]

/** An installed game signs in from its main process, which opens the system's browser. */
function installedGame(form: ArgumentsForm, options: ClientOptions): string[] {
  const args = callArguments(form)
  const isScheme = form.mode === 'scheme'
  return [
    `import { ${isScheme ? 'createMainClient, installDeepLinks' : 'createMainClient'} } from 'foyer-sdk/electron/main'`,
    '',
    ...(isScheme ? [`const scheme = installDeepLinks(${quote(form.customSchemeParam || 'mygame')})`] : []),
    `createMainClient(${literal(options, [...(isScheme ? ['  scheme,'] : []), `  roads: [${quote(form.mode)}],`])})`,
    '',
    '// In the window:',
    "import { connectMainClient } from 'foyer-sdk'",
    'const client = connectMainClient()',
    `button.onclick = () => client.signIn(${call([args])})`,
  ]
}

function wrapAll(lines: readonly string[]): string {
  return lines.flatMap((text) => text.split('\n').map(wrap)).join('\n')
}

/** Puts each argument on its own line if the line is too long. */
function wrap(line: string): string {
  if (line.length <= WIDTH) return line
  return line.replaceAll(
    /\{ ([^{}]+) \}/g,
    (_, inside: string) => `{\n    ${inside.replaceAll(', ', ',\n    ')},\n  }`,
  )
}

function ownPairLines(args: string, surface: string): string[] {
  const options = call([surface])
  return [
    '  const { verifier, challenge } = client.createAuthorizationCodeVerifier()',
    `  const result = await client.authorize(${args.replace(/^args: /, '')}${options && `, ${options}`})`,
    '  const tokens = await client.getToken(result, verifier)',
  ]
}

function callArguments(form: ArgumentsForm): string {
  const isDefault = form.scopes === Client.getDefaultCommunicationScopes()
  const fields = [
    form.clientId && `clientId: ${quote(form.clientId)}`,
    (!isDefault || form.ownPair) && `scopes: ${quote(form.scopes)}`,
    form.state && `state: ${quote(form.state)}`,
    form.nonce && `nonce: ${quote(form.nonce)}`,
    form.ownPair && 'codeChallenge: challenge',
    INSTALL[form.install] && `integrationType: ${INSTALL[form.install]}`,
    form.customSchemeParam && `customSchemeParam: ${quote(form.customSchemeParam)}`,
  ].filter(Boolean)
  if (fields.length === 0) return ''
  // The default scopes apply only if no arguments are given at all, so name them here.
  if (isDefault && !form.ownPair) fields.unshift('scopes: Client.getDefaultCommunicationScopes()')
  return `args: { ${fields.join(', ')} }`
}

function surfaceOption({ mode, timeout, redirectUri }: ArgumentsForm): string {
  const own = redirectUri && `{ redirectUri: ${quote(redirectUri)} }`
  const parts = [
    mode === 'redirect' && `surface: redirectSurface(${own})`,
    mode === 'popup' && own && `surface: popupSurface(${own})`,
    mode === 'paste' && 'surface',
    timeout !== '' && timeout !== '300' && `timeout: ${timeout}_000`,
  ]
  return parts.filter(Boolean).join(', ')
}

function call(parts: readonly string[]): string {
  const inside = parts.filter(Boolean).join(', ')
  return inside && `{ ${inside} }`
}

function literal(
  { applicationId, service, redirectUri }: ClientOptions,
  more: readonly string[] = [],
): string {
  const parts = Object.entries(service).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}: ${quote(value)}`] : [],
  )
  const lines = [
    applicationId !== undefined && `  applicationId: ${quote(String(applicationId))},`,
    `  service: { ${parts.join(', ')} },`,
    redirectUri !== undefined && `  redirectUri: ${quote(redirectUri)},`,
    ...more,
  ]
  return `{\n${lines.filter(Boolean).join('\n')}\n}`
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
