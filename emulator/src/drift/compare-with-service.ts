/** Replays the scenario at the emulator and at a service, and collects the first difference of each step. */
import { createEmulator } from '../emulator/create-emulator.js'
import type { Emulator } from '../emulator/emulator.js'
import { firstDifference } from './first-difference.js'
import { withDecision } from './judge-response.js'
import { createReplay, type Replay } from './create-replay.js'
import { scenario } from './scenario.js'
import type { Comparison, Step, Target } from './scenario-types.js'

/** Decisions: the reason for each accepted difference, `kind step place`, with `*` for any text. */
export async function compareWithService(service: Target, decisions: Readonly<Record<string, string>> = {}): Promise<Comparison> {
  const emulator = await createEmulator({ limits: 'off', seed: { application: { id: service.applicationId } } })
  const [here, there] = [createReplay(targetOf(emulator)), createReplay(service)]
  const comparison: Comparison = { differences: [], skipped: [], steps: scenario.length }
  try {
    for (const step of scenario) await compareStep(step, { here, there, comparison, decisions })
  } finally {
    await Promise.allSettled([there.end(), here.end()])
    await emulator.close()
  }
  return comparison
}

interface Comparing {
  here: Replay
  there: Replay
  comparison: Comparison
  decisions: Readonly<Record<string, string>>
}

async function compareStep(step: Step, { here, there, comparison, decisions }: Comparing): Promise<void> {
  const [own, other] = [await here.perform(step), await there.perform(step)]
  if (typeof other === 'string') comparison.skipped.push({ step: step.name, reason: `the service: ${other}` })
  else if (typeof own === 'string') comparison.skipped.push({ step: step.name, reason: `the emulator: ${own}` })
  if (typeof own === 'string' || typeof other === 'string') return
  const difference = firstDifference(step, { here: own, there: other })
  if (difference !== undefined) comparison.differences.push(withDecision({ ...difference, operation: step.name }, decisions))
}

function targetOf({ url, application }: Emulator): Target {
  return { api: `${url}/api/v10`, applicationId: application.id, botToken: application.botToken, clientSecret: application.clientSecret }
}
