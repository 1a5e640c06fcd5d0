/** Parts of the emulator that tests use and its package does not export. Only this file names their paths. */
export { lobbyMessageBody, messageBody } from '../../emulator/src/check/check-message.js'
export { modalBody } from '../../emulator/src/check/check-modal.js'
export { pathText } from '../../emulator/src/check/problems.js'
export { problemsOf } from '../../emulator/src/check/schema.js'
export {
  largestAmount,
  offsetWords,
  PRESETS,
  readClockOrder,
} from '../../emulator/src/pages/inspector/clock-steps'
export { contextWords, kindWords, permissionWords } from '../../emulator/src/pages/inspector/command-words'
export { effectWords, matchWords, ruleOf, without } from '../../emulator/src/pages/inspector/fault-rules'
export { createMatch } from '../../emulator/src/pages/inspector/match-request'
export { printIssues } from '../../emulator/src/tools/cli/application-commands.js'
export { readTarget } from '../../emulator/src/tools/cli/drift-command.js'
export { commandBody } from '../../emulator/src/check/check-command.js'
export { basisOf } from '../../emulator/src/tools/drift/basis-of.js'
export { compareWithService } from '../../emulator/src/tools/drift/compare-with-service.js'
export type { DriftReport } from '../../emulator/src/tools/drift/drift-types.js'
export { createDriftWorld } from '../../emulator/src/tools/drift/drift-world.js'
export { findDrift } from '../../emulator/src/tools/drift/find-drift.js'
export { leastValue, variantsOf } from '../../emulator/src/tools/drift/generate-value.js'
export { printComparison, printDrift } from '../../emulator/src/tools/drift/print-drift.js'
export { type Description, readDescription } from '../../emulator/src/tools/drift/read-description.js'
export { readRules } from '../../emulator/src/service/faults/faults.js'
export { fieldsOf } from '../../emulator/src/foundation/values.js'
export { createWindow, type Window } from '../../emulator/src/service/limits/create-window.js'
export {
  bulkBody,
  joinBody,
  lobbyBody,
  memberBody,
  moderationBody,
} from '../../emulator/src/check/check-lobby.js'
export { gatewayEventNames } from '../../emulator/src/service/gateway/gateway-events.js'
export { gameTest } from '../../emulator/src/tools/vitest/index.js'
export { visitMessage } from '../../emulator/src/exchanges/rewrite-message.js'
export { callInputs as controlCalls } from '../../emulator/src/api/control/control-calls.js'
