-- A bucket of the rate limit store: the time of the server, and functions that read and write it.
--
-- A bucket is one hash, so that a step on it takes one read and one write: `out`, the in-flight leases by acquire request, each as
-- `{ prefix, leases left, granted at, ms until it expires, settled leases as ',1,2,' }`. `log`, the releasing slots in order, 20 digits each:
-- release time and count. `n`, their sum. `until`, the end of a block. `probe`, set after a block. `turns`, the reservations in order as
-- `{ party, slots, until, ... }`. `ttl`, the time until which the key lives.

local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
-- A number as text without an exponent.
local function toInteger(number) return string.format('%.0f', math.ceil(number)) end

-- Writes the changed fields of a bucket, and extends its life when less than `life` ms are left.
local function writeBucket(key, ttl, life, fields)
  local extend = (tonumber(ttl) or 0) < now + life
  if extend then
    fields[#fields + 1] = 'ttl'
    fields[#fields + 1] = toInteger(now + 2 * life)
  end
  if #fields > 0 then redis.call('HSET', key, unpack(fields)) end
  if extend then redis.call('PEXPIRE', key, toInteger(2 * life)) end
end

-- Unexpired leases in flight, their number, and true if some have expired. After a failover to a clock that is behind, they are new.
-- `except`: the name of the current request. Leases of that name are from a grant whose reply was lost: the client sends the command again.
local function leasesOf(packed, except)
  local kept, count, changed = {}, 0, false
  if not packed or packed == '' then return kept, count, changed end
  for _, entry in ipairs(cmsgpack.unpack(packed)) do
    if entry[3] > now + 1 then entry[3], changed = math.floor(now), true end
    if entry[3] + entry[4] > now and entry[1] ~= except then
      kept[#kept + 1] = entry
      count = count + entry[2]
    else changed = true end
  end
  return kept, count, changed
end

-- Releasing slots without those that are free, and their number. A release beyond the longest possible one means that a failover moved the
-- data to a host whose clock is behind: then all requests count as just answered, and the third result is true.
local function releasingOf(log, n, longest)
  log, n = log or '', tonumber(n or 0)
  if #log == 0 then return '', 0, false end
  if tonumber(string.sub(log, -20, -8)) > now + longest * 1.001 + ARRIVAL_GRACE + 1 then
    return string.format('%013.0f%07d', math.ceil(now + longest), n), n, true
  end
  local from = 1
  while from < #log and tonumber(string.sub(log, from, from + 12)) <= now do
    n = n - tonumber(string.sub(log, from + 13, from + 19))
    from = from + 20
  end
  if from > 1 then log = string.sub(log, from) end
  return log, n, false
end
