-- Settles leases. Same algorithm as `settleBucket` in `rate-limit/shared/bucket-state.ts`.
-- KEYS: each bucket. ARGV: how, grace, used slots of the first bucket as the service reported them, number of leases, the leases, then per,
-- margin, grain of each bucket.

local how, used, leases = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local from = now
if how == 'lost' then from = now + ARGV[2] end
local function endLeases(entries)
  local byPrefix, ended = {}, 0
  for _, entry in ipairs(entries) do byPrefix[entry[1]] = entry end
  for n = 1, leases do
    local prefix, index = string.match(ARGV[4 + n], '^(.*):([^:]*)$')
    local entry = byPrefix[prefix or '']
    if entry and not string.find(entry[5], ',' .. index .. ',', 1, true) then
      entry[2], entry[5], ended = entry[2] - 1, entry[5] .. index .. ',', ended + 1
    end
  end
  local kept = {}
  for _, entry in ipairs(entries) do if entry[2] > 0 then kept[#kept + 1] = entry end end
  return kept, ended
end
for i, key in ipairs(KEYS) do
  local base = 4 + leases + 3 * (i - 1)
  local per, margin, grain = tonumber(ARGV[base + 1]), tonumber(ARGV[base + 2]), tonumber(ARGV[base + 3])
  local stored = redis.call('HMGET', key, 'out', 'log', 'n', 'probe', 'ttl')
  local entries, inflight, changed = leasesOf(stored[1])
  local ended, fields, life = 0, {}, 0
  entries, ended = endLeases(entries)
  if changed or ended > 0 then fields = { 'out', #entries > 0 and cmsgpack.pack(entries) or '' } end
  if how ~= 'unused' then
    local log, releasing, isBehind = releasingOf(stored[2], stored[3], per + margin)
    if isBehind then
      stored[5] = false
      redis.call('HDEL', key, 'turns')
    end
    local known = releasing + leases + inflight - ended
    local new = i == 1 and leases + math.max(0, used - known) or leases
    local at, n = math.ceil((from + per + margin) / grain) * grain, new
    -- The log stays in order: after a lost request, later ones are released no earlier than its grace ends.
    if #log > 0 and tonumber(string.sub(log, -20, -8)) >= at then
      at, n = tonumber(string.sub(log, -20, -8)), n + tonumber(string.sub(log, -7))
      log = string.sub(log, 1, -21)
    end
    log = log .. string.format('%013.0f%07d', at, n)
    for _, field in ipairs({ 'log', log, 'n', releasing + new }) do fields[#fields + 1] = field end
    if how == 'answered' and stored[4] then redis.call('HDEL', key, 'probe') end
    life = at - now + 2000
  end
  if #fields > 0 then writeBucket(key, stored[5], life, fields) end
end
return 1
