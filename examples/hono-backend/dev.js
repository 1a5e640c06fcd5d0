// Runs the backend and Vite side by side, with the values of `foyer-emulator exec` in the environment.
import { spawn } from 'node:child_process'

const start = (...args) => spawn(process.execPath, args, { stdio: 'inherit' })
const all = [start('--watch', 'server.js'), start('node_modules/vite/bin/vite.js', ...process.argv.slice(2))]
for (const each of all) each.once('exit', () => all.forEach((other) => other.kill()))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => all.forEach((each) => each.kill()))
