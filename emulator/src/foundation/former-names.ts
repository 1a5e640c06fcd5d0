/** Names that people give to variables of the environment, so that a message can say what they are called here. */
const NAMES = [
  'FOYER_HOST',
  'FOYER_APPLICATION_ID',
  'FOYER_BOT_TOKEN',
  'FOYER_CLIENT_SECRET',
  'FOYER_PUBLIC_KEY',
  'FOYER_CONTROL_TOKEN',
] as const

type Values = Readonly<Record<string, string | undefined>>

/** Other names of a variable: that of before, and the one without the prefix. A server's own `HOST` is no address of a service. */
const othersOf = (name: string): string[] =>
  name === 'FOYER_HOST' ? ['FOYER_URL'] : [name.replace('FOYER_', '')]

/** A sentence to add if the variable has a value under another name. Empty otherwise. The value is not read. */
export function formerName(name: string, values: Values): string {
  const found = findFormerNames(values).find((each) => each.name === name)
  return found === undefined ? '' : `. ${found.former} is set, and not read: call it ${name}`
}

/** The variables that have a value under another name only. */
export function findFormerNames(values: Values): { name: string; former: string }[] {
  return NAMES.flatMap((name) =>
    othersOf(name)
      .filter((former) => values[former] && !values[name])
      .map((former) => ({ name, former })),
  )
}

/** The variable that holds what a field such as `botToken` or `CLIENT_SECRET` means. */
export function variableOf(field: string): string | undefined {
  return NAMES.find((name) => lettersOf(name) === lettersOf(field))
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/^foyer|[_-]/g, '')
