/**
 * Every field that the declarations of the public embedded SDK give to commands and events of the host window exists here, in camel case and
 * with a type that takes what arrives. The list of fields is read from those declarations: a new version with another field fails by name.
 */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { compileProbe } from '../support/type-probe'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FILE = `${ROOT}test/types/probe-of-activity.ts`

/** Fields that differ, and why. The path begins with the command or the event; `args` is what a command takes. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'authorize.args.scope[]': 'the scopes of the social layer are none of the public declarations',
  'getChannel.messages[]': 'messages of a chat: a game that shows them reads the fields of the service',
  'getChannelPermissions.permissions': 'a message of the host window is JSON, which has no bigint',
  READY: '`connect()` waits for it, and is what a game uses',
  'ORIENTATION_UPDATE.orientation': 'deprecated by the declarations, in favor of `screen_orientation`',
}

/** Names of the public SDK for commands that have another one here, and why. */
const RENAMED: Readonly<Record<string, string>> = {
  getInstanceConnectedParticipants: 'getActivityInstanceConnectedParticipants',
}

const PROBE = `
import type { DiscordSDK, EventPayloadData, Events } from '@discord/embedded-app-sdk'
import type { ActivityHost, ActivityHostEvents } from '../../src/index'
export declare const theirCommands: DiscordSDK['commands']
export declare const theirEvents: { [Name in Events]: EventPayloadData<Name> }
export declare const ourCommands: ActivityHost
export declare const ourEvents: ActivityHostEvents
export declare const theirPlanted: {
  same: string
  list: { new_field: number; becomes_null: string | null; is_optional?: boolean; other: 1 | 2 }[]
  object: { inner: string }
}
export declare const ourPlanted: {
  same: string
  list: { becomesNull: string; isOptional: boolean; other: 1 }[]
  object: string
}
`

let checker: ts.TypeChecker
let root: ts.SourceFile

beforeAll(() => {
  const { program, source } = compileProbe(FILE, PROBE)
  checker = program.getTypeChecker()
  root = source
}, 120_000)

const typeOf = (name: string): ts.Type => {
  const symbol = checker
    .getExportsOfModule(checker.getSymbolAtLocation(root) ?? raise())
    .find((each) => each.name === name)
  return checker.getTypeOfSymbolAtLocation(symbol ?? raise(), root)
}

function raise(): never {
  throw new Error('The probe has no such export')
}

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The members of a type that are objects, without null and undefined. */
const objectsOf = (type: ts.Type): ts.Type[] =>
  (type.isUnion() ? type.types : [type]).filter(
    ({ flags }) => (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0,
  )

const elementOf = (type: ts.Type): ts.Type | undefined =>
  checker.getIndexTypeOfType(type, ts.IndexKind.Number)

/** `arrives`: theirs is given to ours. Otherwise ours is given to theirs. */
type Direction = 'arrives' | 'sent'

interface Pair {
  path: string
  theirs: ts.Type
  ours: ts.Type
  direction: Direction
}

/** Differences below a path: a field that is missing, and one with another type. */
function* differences({ path, theirs, ours, direction }: Pair): Generator<string> {
  if (isExcepted(path)) return
  const [given, taken] = direction === 'arrives' ? [theirs, ours] : [ours, theirs]
  const isRefused = plainTypes(given).some((type) => !takes(taken, type))
  if (isRefused || isAny(ours))
    yield `${path}: ${checker.typeToString(ours)} for ${checker.typeToString(theirs)}`
  const [first] = objectsOf(ours)
  if (!first) {
    if (objectsOf(given).some((type) => !takes(taken, type))) yield `${path}: is no object on one side`
    return
  }
  for (const one of objectsOf(theirs)) {
    const [theirElement, ourElement] = [elementOf(one), elementOf(first)]
    if (!theirElement) yield* fieldDifferences({ path, theirs: one, ours: first, direction })
    else if (ourElement)
      yield* differences({ path: `${path}[]`, theirs: theirElement, ours: ourElement, direction })
    else yield `${path}: is no list`
  }
}

const isAny = ({ flags }: ts.Type) => (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0
const isUndefined = ({ flags }: ts.Type) => (flags & ts.TypeFlags.Undefined) !== 0

/** Members of a type that are no objects: those are compared field by field. An absent field is compared with its symbol. */
const plainTypes = (type: ts.Type): ts.Type[] =>
  (type.isUnion() ? type.types : [type]).filter(
    (one) => !isUndefined(one) && (isBrand(one) || !objectsOf(one).length),
  )

/** A string that has a brand, such as the id of a user. */
const isBrand = (type: ts.Type) =>
  type.isIntersection() && type.types.some(({ flags }) => (flags & ts.TypeFlags.String) !== 0)

const takes = (taken: ts.Type, given: ts.Type): boolean =>
  checker.isTypeAssignableTo(given, taken) ||
  ((given.flags & ts.TypeFlags.String) !== 0 && (taken.isUnion() ? taken.types : [taken]).some(isBrand))

const used = new Set<string>()
function isExcepted(path: string): boolean {
  const found = path in EXCEPTIONS
  if (found) used.add(path)
  return found
}

/** True if a field may be absent, or undefined. */
const isOptional = (field: ts.Symbol): boolean => {
  const type = checker.getTypeOfSymbolAtLocation(field, root)
  return (field.flags & ts.SymbolFlags.Optional) !== 0 || (type.isUnion() && type.types.some(isUndefined))
}

function* fieldDifferences({ path, theirs, ours, direction }: Pair): Generator<string> {
  for (const field of checker.getPropertiesOfType(theirs)) {
    const below = `${path}.${camel(field.name)}`
    if (isExcepted(below)) continue
    const own = checker.getPropertyOfType(ours, camel(field.name))
    if (own) {
      const [given, taken] = direction === 'arrives' ? [field, own] : [own, field]
      if (isOptional(given) && !isOptional(taken)) yield `${below}: is required by one side alone`
    }
    if (!own) yield `${below}: is missing`
    else
      yield* differences({
        path: below,
        theirs: checker.getTypeOfSymbolAtLocation(field, root),
        ours: checker.getTypeOfSymbolAtLocation(own, root),
        direction,
      })
  }
}

/** First argument of a method, and the value of its promise. */
function partsOf(method: ts.Type): { args: ts.Type | undefined; result: ts.Type } {
  const [signature] = method.getCallSignatures()
  if (!signature) return raise()
  const [first] = signature.getParameters()
  return {
    args: first && checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(first, root)),
    result: checker.getAwaitedType(signature.getReturnType()) ?? raise(),
  }
}

const fieldsOf = (type: ts.Type) =>
  new Map(
    checker
      .getPropertiesOfType(type)
      .map((symbol) => [symbol.name, checker.getTypeOfSymbolAtLocation(symbol, root)]),
  )

function commandDifferences(): string[] {
  const ours = fieldsOf(typeOf('ourCommands'))
  return [...fieldsOf(typeOf('theirCommands'))].flatMap(([name, method]) => {
    const own = ours.get(RENAMED[name] ?? name)
    if (isExcepted(name)) return []
    if (!own) return [`${name}: is missing`]
    const [their, our] = [partsOf(method), partsOf(own)]
    const args =
      their.args && objectsOf(their.args).length > 0 && our.args
        ? [...differences({ path: `${name}.args`, theirs: their.args, ours: our.args, direction: 'sent' })]
        : []
    const isVoid = (our.result.flags & ts.TypeFlags.Void) !== 0
    const result = isVoid
      ? []
      : [...differences({ path: name, theirs: their.result, ours: our.result, direction: 'arrives' })]
    return [...args, ...result]
  })
}

function eventDifferences(): string[] {
  const ours = fieldsOf(typeOf('ourEvents'))
  return [...fieldsOf(typeOf('theirEvents'))].flatMap(([name, theirs]) => {
    const own = ours.get(name)
    if (isExcepted(name)) return []
    return own
      ? [...differences({ path: name, theirs, ours: own, direction: 'arrives' })]
      : [`${name}: is missing`]
  })
}

describe('the host window has the fields of the public declarations', () => {
  it('in the arguments and results of each command, and in each event', () => {
    expect(commandDifferences()).toEqual([])
    expect(eventDifferences()).toEqual([])
    const unused = Object.keys(EXCEPTIONS).filter((path) => !used.has(path))
    expect(unused).toEqual([])
  })

  it('and one that is planted in the declarations is found by its name', () => {
    const planted = { path: 'planted', theirs: typeOf('theirPlanted'), ours: typeOf('ourPlanted') }
    expect([...differences({ ...planted, direction: 'arrives' })]).toEqual([
      'planted.list[].newField: is missing',
      'planted.list[].becomesNull: string for string | null',
      'planted.list[].isOptional: is required by one side alone',
      'planted.list[].other: 1 for 1 | 2',
      'planted.object: is no object on one side',
    ])
  })
})
