/** Opens a link by the program that the system has for its scheme. */
import { spawn } from 'node:child_process'

const COMMANDS: Readonly<Record<string, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Not awaited: the game that it starts runs for long. A system without a program for the scheme opens nothing. */
export function openLink(link: string): void {
  const [command, ...args] = COMMANDS[process.platform] ?? ['xdg-open']
  spawn(command, [...args, link], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
}
