/** Lua scripts of the rate limit store in Redis. Each is atomic, takes one round trip, and uses the server's clock only. */
import {
  ARRIVAL_GRACE,
  DEAD_AFTER,
  FORGET_AFTER,
  INACTIVE_AFTER,
  REFUSAL_PART,
  REFUSAL_WINDOW,
} from '../../shared/rate-limit/store-port'
import acquire from './lua/acquire.lua?raw'
import block from './lua/block.lua?raw'
import bucket from './lua/bucket.lua?raw'
import countRefusals from './lua/count-refusals.lua?raw'
import pause from './lua/pause.lua?raw'
import present from './lua/present.lua?raw'
import renew from './lua/renew.lua?raw'
import retire from './lua/retire.lua?raw'
import settle from './lua/settle.lua?raw'

export { default as LEAVE } from './lua/leave.lua?raw'
export { default as UNBLOCK } from './lua/unblock.lua?raw'

/** Times in ms, as the store's port names them. */
const CONSTANTS = `local ARRIVAL_GRACE, DEAD_AFTER, FORGET_AFTER = ${ARRIVAL_GRACE}, ${DEAD_AFTER}, ${FORGET_AFTER}
local INACTIVE_AFTER, REFUSAL_PART, REFUSAL_WINDOW = ${INACTIVE_AFTER}, ${REFUSAL_PART}, ${REFUSAL_WINDOW}
`
/** Precedes each script: constants, the time of the server, and functions that read and write a bucket. */
const BUCKET = CONSTANTS + bucket

export const ACQUIRE = BUCKET + acquire
export const BLOCK = BUCKET + block
export const COUNT_REFUSALS = BUCKET + countRefusals
export const PAUSE = BUCKET + pause
export const PRESENT = BUCKET + present
export const RENEW = BUCKET + renew
export const RETIRE = BUCKET + retire
export const SETTLE = BUCKET + settle
