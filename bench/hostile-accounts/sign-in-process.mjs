/** Players who sign in, in a process of their own so that nothing but the backend delays their answers. */
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { postSignIn } from './post-sign-in.mjs'

let ended = []

/** Each with an address of its own, as players at home have, and at each process in turn. */
async function signIn(sign, index, { urls, origin, interval }) {
  await pause(index * interval)
  const from = performance.now()
  const address = `198.51.100.${index + 1}`
  const status = await postSignIn(urls[index % urls.length], { body: sign, origin, address })
  return { status, took: performance.now() - from }
}

process.on('message', ({ codes, ...options }) => {
  if (codes) ended = codes.map((code, index) => signIn(code, index, options))
  else void Promise.all(ended).then((signIns) => process.send({ signIns }))
})
process.on('disconnect', () => process.exit())
process.send({ ready: true })
