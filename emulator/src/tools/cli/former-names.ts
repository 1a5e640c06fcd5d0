/** Names that variables of the environment had before, so that a message about a missing one can say what became of it. */
const FORMER: Readonly<Record<string, readonly string[]>> = {
  FOYER_HOST: ['FOYER_URL'],
  FOYER_APPLICATION_ID: ['APPLICATION_ID'],
  FOYER_BOT_TOKEN: ['BOT_TOKEN'],
  FOYER_CLIENT_SECRET: ['CLIENT_SECRET'],
}

/** A sentence to add if the variable has a value under a former or usual name. Empty otherwise. The value is not read. */
export function formerName(name: string, values: Readonly<Record<string, string | undefined>>): string {
  const found = FORMER[name]?.find((former) => values[former])
  return found === undefined ? '' : `. ${found} is set, and not read: call it ${name}`
}
