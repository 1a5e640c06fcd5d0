#!/usr/bin/env -S node --
// Without `--`, Node 20 parses --env-file as its own option, and exits if the file does not exist yet.
/** Starts the command line, or says what is missing in a checkout that was not built yet. */
import { existsSync } from 'node:fs'
import process from 'node:process'

const cli = new URL('../dist/tools/cli/index.js', import.meta.url)

if (existsSync(cli)) {
  await import(cli)
} else {
  process.stderr.write(
    'foyer-emulator: it is not built yet. Run `npm run build:emulator` in the checkout first.\n',
  )
  process.exitCode = 1
}
