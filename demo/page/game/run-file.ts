/** A run as a file, without secrets: written here, and checked value by value when it is opened again. */
import type { Check } from 'foyer-sdk'
import { type Exchange, type Field, isSecretName, type Response } from '../exchanges/exchange'
import type { RecordedCall } from '../exchanges/exchange-recorder'
import { withoutSecrets } from '../exchanges/keep-exchanges'
import type { RequestChange } from './request-changes'
import type { Run, SignInStep } from './runs'

/** A run with everything that was sent in it. */
export interface RunRecord {
  readonly run: Run
  readonly messages: readonly Exchange[]
  readonly calls: readonly RecordedCall[]
}

const FORMAT = 'foyer-demo-run'
const VERSION = 1
/** Maximum size of a file, in characters. */
const MAX_SIZE = 4_000_000
const MAX_ENTRIES = 1000

/** Says what is wrong with a file. */
export class RunFileError extends Error {
  override readonly name = 'RunFileError'
}

/** Text of the file. Codes, tokens and other secrets are left out, as in what the page stores. */
export function runText({ run, messages, calls }: RunRecord): string {
  const changes = run.changes.map(({ name, value }) => ({
    name,
    value: isSecretName(name) ? undefined : value,
  }))
  return JSON.stringify(
    {
      format: FORMAT,
      version: VERSION,
      run: { ...run, opened: undefined, changes },
      messages: messages.map(withoutSecrets),
      calls,
    },
    null,
    2,
  )
}

/** @throws RunFileError with a sentence for the tester. */
export function readRunText(text: string): RunRecord {
  if (text.length > MAX_SIZE) throw new RunFileError('This file is too large for a run.')
  const file = new Values(parse(text), 'the file')
  if (file.optionalText('format') !== FORMAT)
    throw new RunFileError('This is no run of this demo. Choose a file that “Save run” has written.')
  if (file.number('version') !== VERSION)
    throw new RunFileError('This run was saved by another version of the demo, which this one cannot read.')
  return {
    run: readRun(file.part('run')),
    messages: file.list('messages', readExchange),
    calls: file.list('calls', readCall),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RunFileError('This is no run of this demo: the file is no JSON.')
  }
}

/** Values of one object of the file. Each is read by its name and type, so that nothing else gets into the page. */
class Values {
  readonly #values: Readonly<Record<string, unknown>>
  readonly #place: string

  constructor(value: unknown, place: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(place, 'an object')
    this.#values = { ...value }
    this.#place = place
  }

  text(name: string): string {
    const value = this.#values[name]
    if (typeof value !== 'string') throw this.#wrong(name, 'a text')
    return value
  }

  optionalText(name: string): string | undefined {
    return this.#values[name] === undefined ? undefined : this.text(name)
  }

  number(name: string): number {
    const value = this.#values[name]
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.#wrong(name, 'a number')
    return value
  }

  optionalNumber(name: string): number | undefined {
    return this.#values[name] === undefined ? undefined : this.number(name)
  }

  /** True only for `true`. */
  flag(name: string): boolean {
    return this.#values[name] === true
  }

  choice<Name extends string>(name: string, names: readonly Name[]): Name {
    const found = names.find((one) => one === this.#values[name])
    if (found === undefined) throw this.#wrong(name, `one of ${names.join(', ')}`)
    return found
  }

  url(name: string): string {
    const text = this.text(name)
    if (!/^[a-z][\w.+-]*:/i.test(text) || !URL.canParse(text)) throw this.#wrong(name, 'an address')
    return text
  }

  part(name: string): Values {
    return new Values(this.#values[name], `${name} of ${this.#place}`)
  }

  optionalPart(name: string): Values | undefined {
    return this.#values[name] === undefined ? undefined : this.part(name)
  }

  list<Entry>(name: string, read: (values: Values) => Entry): readonly Entry[] {
    const value = this.#values[name]
    if (!Array.isArray(value) || value.length > MAX_ENTRIES)
      throw this.#wrong(name, `a list of at most ${MAX_ENTRIES} entries`)
    return value.map((entry, index) => read(new Values(entry, `${name} ${index + 1}`)))
  }

  texts(): Record<string, string> {
    return Object.fromEntries(Object.keys(this.#values).map((name) => [name, this.text(name)]))
  }

  #wrong(name: string, expected: string): RunFileError {
    return wrong(`${name} of ${this.#place}`, expected)
  }
}

function wrong(place: string, expected: string): RunFileError {
  return new RunFileError(`This run cannot be opened: ${place} is not ${expected}.`)
}

function readRun(values: Values): Run {
  return {
    id: values.number('id'),
    startedAt: values.number('startedAt'),
    endedAt: values.optionalNumber('endedAt'),
    mode: values.text('mode'),
    outcome: values.text('outcome'),
    isFailed: values.flag('isFailed'),
    player: values.optionalText('player'),
    changes: values.list('changes', readChange),
    claims: values.part('claims').texts(),
    steps: values.list('steps', readStep),
  }
}

function readChange(values: Values): RequestChange {
  return { name: values.text('name'), value: values.optionalText('value') }
}

function readStep(values: Values): SignInStep {
  return {
    kind: values.choice('kind', ['done', 'warning', 'failed']),
    name: values.text('name'),
    title: values.text('title'),
    detail: values.text('detail'),
    checks: values.list('checks', readCheck),
    at: values.number('at'),
  }
}

function readCheck(values: Values): Check {
  const [expected, got] = [values.optionalText('expected'), values.optionalText('got')]
  return {
    check: values.text('check'),
    result: values.choice('result', ['passed', 'absent', 'failed']),
    ...(expected !== undefined && { expected }),
    ...(got !== undefined && { got }),
  }
}

function readExchange(values: Values): Exchange {
  const response = values.optionalPart('response')
  return {
    id: values.number('id'),
    kind: values.choice('kind', ['authorize', 'callback', 'request']),
    method: values.text('method'),
    url: values.url('url'),
    query: values.list('query', readField),
    headers: values.list('headers', readField),
    body: values.list('body', readField),
    startedAt: values.number('startedAt'),
    duration: values.optionalNumber('duration'),
    response: response && readResponse(response),
    failure: values.optionalText('failure'),
    checks: values.list('checks', readCheck),
  }
}

function readResponse(values: Values): Response {
  return {
    status: values.number('status'),
    headers: values.list('headers', readField),
    body: values.list('body', readField),
    rule: values.optionalText('rule'),
  }
}

function readField(values: Values): Field {
  return {
    name: values.text('name'),
    value: values.text('value'),
    isSecret: values.flag('isSecret'),
    isText: values.flag('isText'),
    isLeftOut: values.flag('isLeftOut'),
  }
}

function readCall(values: Values): RecordedCall {
  const [endedAt, result] = [values.optionalNumber('endedAt'), values.optionalText('result')]
  return {
    name: values.text('name'),
    startedAt: values.number('startedAt'),
    ...(endedAt !== undefined && { endedAt }),
    ...(result !== undefined && { result }),
    isFailed: values.flag('isFailed'),
  }
}
