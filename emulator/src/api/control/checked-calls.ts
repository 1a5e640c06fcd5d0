/** Checks what a program gives to an emulator: the shape of each argument, and that the emulator still runs. */
import { pathText, type PlacedProblem } from '../../check/problems.js'
import { problemsOf } from '../../check/schema.js'
import { WrongInput } from '../../foundation/emulator-error.js'
import { literal } from '../../foundation/literal.js'
import { callInputs, type Call } from './control-calls.js'

/** `it has no field "usr"; user is required`. */
export function problemText(problems: readonly PlacedProblem[]): string {
  return problems.map(({ path, rule }) => `${pathText(path) || 'it'} ${rule}`).join('; ')
}

interface Checks {
  /** Name of the group with a dot at its end; empty for the emulator itself. */
  prefix: string
  /** @throws EmulatorError `closed`. */
  requireOpen: () => void
}

/**
 * The same object, whose methods refuse wrong arguments. A method of `callInputs` that returns a promise rejects, the others throw.
 * @throws EmulatorError `bad_request` that names the call, the field and an example; `closed`.
 */
export function checkedCalls<Group extends object>(group: Group, { prefix, requireOpen }: Checks): Group {
  const calls: Readonly<Record<string, Call | undefined>> = callInputs
  return new Proxy(group, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      const name = prefix + String(key)
      const call = Object.hasOwn(calls, name) ? calls[name] : undefined
      if (typeof member !== 'function' || call === undefined) return member
      const run = (args: readonly unknown[]): unknown => {
        requireOpen()
        return explained(name, call, () => {
          checkArguments(call, args)
          return Reflect.apply(member, target, args)
        })
      }
      return call.isLater === true
        ? async (...args: unknown[]) => run(args)
        : (...args: unknown[]) => run(args)
    },
  })
}

function checkArguments({ takes }: Call, args: readonly unknown[]): void {
  for (const [index, { schema }] of takes.entries()) {
    const given = args[index]
    if (given === undefined && schema.isOptional === true) continue
    const problems = problemsOf(schema, given)
    if (problems.length > 0) throw new WrongInput(problemText(problems))
  }
}

function explained(name: string, { takes }: Call, run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error
    const examples = takes.map(({ example, written }) => written ?? literal(example))
    throw error.of(`emulator.${name}`, `emulator.${name}(${examples.join(', ')})`)
  }
}
