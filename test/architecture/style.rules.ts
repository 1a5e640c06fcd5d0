/** The rules on what a line looks like, each with files that break it and files that keep it. */
import * as style from './style'
import type { Rule } from './walls.rules'

export const styles: readonly Rule[] = [
  {
    says: 'a file has at most 250 lines',
    check: style.fileLength,
    where: 'src',
    bad: [['src/client/a.ts', '\n'.repeat(250) + 'export {}', 1]],
    good: [['src/client/a.ts', '\n'.repeat(249) + 'export {}\n']],
  },
  {
    says: 'a function has at most 40 lines, 25 where state and time live',
    check: style.functionLength,
    where: 'src',
    bad: [
      ['src/client/a.ts', `\nexport function f() {${'\n'.repeat(40)}}`, 2],
      ['src/client/a.ts', `export const f = () => {${'\n'.repeat(40)}}`, 1],
      ['src/tokens/a.ts', `export class A {\n  m() {${'\n'.repeat(25)}}\n}`, 2],
    ],
    good: [
      ['src/client/a.ts', `export function f() {${'\n'.repeat(39)}}`],
      ['src/tokens/a.ts', `export class A {${'\n'.repeat(30)}}`],
    ],
  },
  {
    says: 'a function takes at most three parameters',
    check: style.parameterCount,
    where: 'src',
    bad: [
      ['src/client/a.ts', 'export function f(a: string, b: string, c: string, d: string) {}', 1],
      ['src/client/a.ts', 'export interface P {\n  f(a: string, b: string, c: string, d: string): void\n}', 2],
    ],
    good: [['src/client/a.ts', 'export function f(this: Window, a: string, b: string, c: object) {}']],
  },
  {
    says: 'no parameter is a boolean by position',
    check: style.booleanParameter,
    where: 'src',
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
    says: 'what is private is #private',
    check: style.privateByName,
    where: 'src',
    bad: [
      ['src/client/a.ts', 'export class A {\n  _secret = 1\n}', 2],
      ['src/client/a.ts', 'export class A { private secret = 1 }', 1],
    ],
    good: [['src/client/a.ts', 'export class A { #secret = 1; private constructor() {} }']],
  },
  {
    says: 'there is no any',
    check: style.noAny,
    where: 'src',
    bad: [['src/client/a.ts', 'export const f = (x: any) => x', 1]],
    good: [['src/client/a.ts', 'export const any = (x: unknown) => x']],
  },
  {
    says: 'a type is asserted only in the listed files',
    check: style.casts,
    where: 'src',
    bad: [
      ['src/client/a.ts', 'export const x = y as string', 1],
      ['src/client/a.ts', 'export const x = <string>y', 1],
      ['src/client/a.ts', 'export const x = y!', 1],
    ],
    good: [
      ['src/client/a.ts', "export const x = ['a'] as const"],
      ['src/foundation/ids.ts', 'export const x = y as Snowflake'],
    ],
  },
  {
    says: 'the first line says in one sentence what the file is for',
    check: style.openingSentence,
    where: 'src',
    bad: [
      ['src/client/a.ts', "import { x } from './b'\n/** Late. */", 1],
      ['src/client/a.ts', '/** No stop */\n', 1],
    ],
    good: [['src/client/a.ts', '/** Signs a player in. */\nexport {}']],
  },
  {
    says: 'files and folders are kebab-case',
    check: style.fileName,
    where: 'src',
    bad: [
      ['src/client/tokenSet.ts', '', 1],
      ['src/rate_limit/a.ts', '', 1],
    ],
    good: [['src/rate-limit/token-set.ts', '']],
  },
  {
    says: 'no name says only that something is managed or helped',
    check: style.forbiddenWords,
    where: 'src',
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
    says: 'no module keeps state',
    check: style.moduleState,
    where: 'src',
    bad: [
      ['src/client/a.ts', 'export let count = 0', 1],
      ['src/client/a.ts', '\nvar count', 2],
      ['src/client/a.ts', 'let door: () => void\nclass A { static { door = () => {} } }\nexport const f = () => { door = f }', 1],
      ['src/client/a.ts', 'let door: () => void\nexport class A { static { queue(() => { door = f }) } }', 1],
      ['src/client/a.ts', 'const cache = new Map<string, string>()', 1],
      ['src/client/a.ts', 'const all: string[] = []', 1],
    ],
    good: [
      ['src/client/a.ts', 'let door: () => void\nexport class A { static { door = () => new A() } }'],
      [
        'src/client/a.ts',
        "declare const kind: unique symbol\nconst names = new Map([['a', 1]])\nexport const f = () => { let x = 0; return x }",
      ],
    ],
  },
  {
    says: 'nothing happens on import',
    check: style.importIsSilent,
    where: 'src',
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
      ['src/client/a.ts', 'export class A { static readonly none = A.#make(); static other = new A(); static #make() { return new A() } }'],
      ['src/browser/callback-page.ts', 'run()'],
    ],
  },
]
