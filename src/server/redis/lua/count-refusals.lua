-- KEYS: refusals, a hash of counts by part. ARGV: count.

local current = math.floor(now / REFUSAL_PART)
if tonumber(ARGV[1]) > 0 then redis.call('HINCRBY', KEYS[1], current, ARGV[1]) end
local total, oldest = 0, current
local parts = redis.call('HGETALL', KEYS[1])
for i = 1, #parts, 2 do
  local part = tonumber(parts[i])
  if part < current - REFUSAL_WINDOW / REFUSAL_PART then redis.call('HDEL', KEYS[1], parts[i])
  else total, oldest = total + parts[i + 1], math.min(oldest, part) end
end
local life = REFUSAL_WINDOW + 2 * REFUSAL_PART
if redis.call('PTTL', KEYS[1]) < life then redis.call('PEXPIRE', KEYS[1], life) end
return { total, math.ceil((oldest + 1) * REFUSAL_PART + REFUSAL_WINDOW - now) }
