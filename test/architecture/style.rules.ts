/** Table of the style rules, each with examples that break it and examples that comply. */
import * as style from './style'
import type { Rule } from './import.rules'

export const styleRules: readonly Rule[] = [
  {
    title: 'a file of more than 600 lines is an alarm',
    check: style.fileLength,
    scope: 'product',
    bad: [['src/client/a.ts', '\n'.repeat(600) + 'export {}', 1]],
    good: [['src/client/a.ts', '\n'.repeat(599) + 'export {}\n']],
  },
  {
    title: 'a function of more than 60 lines is an alarm, a component of more than 100',
    check: style.functionLength,
    scope: 'product',
    bad: [
      ['src/client/a.ts', `\nexport function f() {${'\n'.repeat(60)}}`, 2],
      ['src/client/a.ts', `export const f = () => {${'\n'.repeat(60)}}`, 1],
      ['demo/page/a.tsx', `export function A() {${'\n'.repeat(100)}}`, 1],
    ],
    good: [
      ['src/client/a.ts', `export function f() {${'\n'.repeat(59)}}`],
      ['emulator/src/browser/a.tsx', `export function A() {${'\n'.repeat(99)}}`],
    ],
  },
  {
    title: 'no parameter is a positional boolean',
    check: style.booleanParameter,
    scope: 'product',
    bad: [
      ['src/client/a.ts', 'export function f(silent: boolean) {}', 1],
      ['src/client/a.ts', 'export function f(silent = false) {}', 1],
      ['src/client/a.ts', 'export function f(value: unknown, silent: boolean): asserts value {}', 1],
      ['src/client/a.ts', 'export function f(silent?: true | undefined) {}', 1],
    ],
    good: [
      ['src/client/a.ts', 'export function f({ silent }: { silent: boolean }) {}'],
      ['src/client/a.ts', 'export function require(ok: boolean): asserts ok {}'],
    ],
  },
  {
    title: 'private members are #private',
    check: style.privateByName,
    scope: 'product',
    bad: [
      ['src/client/a.ts', 'export class A {\n  _secret = 1\n}', 2],
      ['src/client/a.ts', 'export class A { private secret = 1 }', 1],
    ],
    good: [['src/client/a.ts', 'export class A { #secret = 1; private constructor() {} }']],
  },
  {
    title: 'options are read without their prototype',
    check: style.ownOptions,
    scope: 'src',
    bad: [
      [
        'src/server/a.ts',
        'export const f = (given?: { a?: 1 }): unknown => {\n  const { a = 1 } = { ...given }\n  return a\n}',
        2,
      ],
    ],
    good: [
      [
        'src/server/a.ts',
        'export const f = (given?: { a?: 1 }): unknown => {\n  const { a = 1 } = ownFields({ ...given })\n  return a\n}',
      ],
    ],
  },
  {
    title: 'no type is any',
    check: style.noAny,
    scope: 'product',
    bad: [['src/client/a.ts', 'export const f = (x: any) => x', 1]],
    good: [['src/client/a.ts', 'export const any = (x: unknown) => x']],
  },
  {
    title: 'a body of a request names the check of its shape',
    check: style.namedChecks,
    scope: 'src',
    bad: [
      ['src/server/a.ts', 'export const f = (x: object) => CheckedBody.of(x, { check: () => [] })', 1],
      ['src/server/a.ts', 'export const f = (x: object, y: Rule) => CheckedBody.of(x, y)', 1],
    ],
    good: [
      [
        'src/server/a.ts',
        "export const f = (x: object) => CheckedBody.of(x, { check: (own) => validateLobby(own, 'edit') })",
      ],
      ['src/server/a.ts', 'export const f = (x: object) => CheckedBody.of(x, { check: validateMembers })'],
    ],
  },
  {
    title: 'type assertions are only in the listed files',
    check: style.casts,
    scope: 'product',
    bad: [
      ['src/client/a.ts', 'export const x = y as string', 1],
      ['src/client/a.ts', 'export const x = <string>y', 1],
      ['src/client/a.ts', 'export const x = y!', 1],
    ],
    good: [
      ['src/client/a.ts', "export const x = ['a'] as const"],
      ['src/shared/foundation/ids.ts', 'export const x = y as Snowflake'],
    ],
  },
  {
    title: 'issues of values come from rules',
    check: style.handMadeIssue,
    scope: 'src',
    bad: [
      [
        'src/server/a.ts',
        "const issue = (path: string) => ({ path, code: 'a', message: 'b', params: {}, level: 'error' })",
        1,
      ],
      ['src/server/a.ts', "export const f = () => {\n  throw new ValidationError('invalid_body', [])\n}", 2],
    ],
    good: [
      ['src/server/a.ts', "export const f = (at: Place) => at.field('name').add('required')"],
      ['src/shared/foundation/rules.ts', "throw new ValidationError('invalid_body', [])"],
    ],
  },
  {
    title: 'no call makes an object literal with accessors',
    check: style.ownAccessors,
    scope: 'src',
    bad: [
      ['src/server/a.ts', 'export const f = (x: number) => ({\n  get x() { return x }\n})', 2],
      ['src/client/a.ts', 'export class A { b() { return { set c(d: number) {} } } }', 1],
    ],
    good: [
      ['src/server/a.ts', 'export const A = { get b() { return 1 } }'],
      ['src/server/a.ts', 'export class A { get b() { return 1 } }'],
      ['src/client/session/session.ts', 'export const f = () => ({ get x() { return 1 } })'],
    ],
  },
  {
    title: 'the first line describes the file in one sentence',
    check: style.openingSentence,
    scope: 'product',
    bad: [
      ['src/client/a.ts', "import { x } from './b'\n/** Late. */", 1],
      ['src/client/a.ts', '/** No stop */\n', 1],
    ],
    good: [['src/client/a.ts', '/** Signs a player in. */\nexport {}']],
  },
  {
    title: 'files and folders are kebab-case',
    check: style.fileName,
    scope: 'product',
    bad: [
      ['src/client/tokenSet.ts', '', 1],
      ['src/rate_limit/a.ts', '', 1],
    ],
    good: [['src/rate-limit/token-set.ts', '']],
  },
  {
    title: 'no name contains a meaningless word such as Manager or Helper',
    check: style.forbiddenWords,
    scope: 'product',
    bad: [
      ['src/client/session-manager.ts', '', 1],
      ['src/client/utils.ts', '', 1],
      ['src/client/a.ts', 'export class SessionManager {}', 1],
      ['src/client/a.ts', 'export const urlHelpers = 1', 1],
      ['src/client/a.ts', 'export interface IClient {}', 1],
    ],
    good: [['src/client/a.ts', 'export interface IdToken {}\nexport const utility = 1']],
  },
  {
    title: 'no module has state',
    check: style.moduleState,
    scope: 'modules',
    bad: [
      ['src/client/a.ts', 'export let count = 0', 1],
      ['src/client/a.ts', '\nvar count', 2],
      [
        'src/client/a.ts',
        'let access: () => void\nclass A { static { access = () => {} } }\nexport const f = () => { access = f }',
        1,
      ],
      [
        'src/client/a.ts',
        'let access: () => void\nexport class A { static { queue(() => { access = f }) } }',
        1,
      ],
      ['src/client/a.ts', 'const cache = new Map<string, string>()', 1],
      ['src/client/a.ts', 'const all: string[] = []', 1],
      ['emulator/src/api/a.ts', 'let count = 0', 1],
    ],
    good: [
      ['emulator/src/foundation/credentials.ts', 'let rsaKey: Promise<JsonWebKey> | undefined'],
      ['src/client/a.ts', 'let access: () => void\nexport class A { static { access = () => new A() } }'],
      [
        'src/client/a.ts',
        "declare const kind: unique symbol\nconst names = new Map([['a', 1]])\nexport const f = () => { let x = 0; return x }",
      ],
    ],
  },
  {
    title: 'no module has a side effect on import',
    check: style.importIsSilent,
    scope: 'src',
    bad: [
      ['src/client/a.ts', "import './polyfill'", 1],
      ['src/client/a.ts', "addEventListener('load', () => {})", 1],
      ['src/client/a.ts', 'export const key = randomText()', 1],
      ['src/client/a.ts', 'export class A {\n  static id = make()\n}', 2],
      ['src/client/a.ts', 'export const x = await load', 1],
      ['src/client/a.ts', 'export class A { static { register(A) } }', 1],
      ['src/client/a.ts', 'export class A { static b = new B() }', 1],
    ],
    good: [
      [
        'src/client/a.ts',
        "export const NAMES = Object.freeze(['a'])\nexport class A { #x = make(); static #y = 1; static { this.#y = 2 } }",
      ],
      [
        'src/client/a.ts',
        'export class A { static readonly none = A.#make(); static other = new A(); static #make() { return new A() } }',
      ],
      ['src/client/page/callback-page.ts', 'run()'],
    ],
  },
]
