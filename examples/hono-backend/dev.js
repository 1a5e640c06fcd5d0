// Runs the backend and Vite side by side, with the values of `foyer-emulator exec` in the environment.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Wherever the package manager has put it.
const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')

const start = (...args) => spawn(process.execPath, args, { stdio: 'inherit' })
const all = [start('--watch', 'server.js'), start(vite, ...process.argv.slice(2))]
for (const each of all) each.once('exit', () => all.forEach((other) => other.kill()))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => all.forEach((each) => each.kill()))
