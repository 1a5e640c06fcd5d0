-- KEYS: a bucket. ARGV: a lease. Returns 1 if the lease was renewed, 0 if it has ended.

local stored = redis.call('HMGET', KEYS[1], 'out', 'ttl')
local prefix, index = string.match(ARGV[1], '^(.*):([^:]*)$')
local entries = leasesOf(stored[1])
for _, entry in ipairs(entries) do
  if entry[1] == prefix and not string.find(entry[5], ',' .. index .. ',', 1, true) then
    entry[3] = math.ceil(now)
    writeBucket(KEYS[1], stored[2], entry[4] + 1, { 'out', cmsgpack.pack(entries) })
    return 1
  end
end
return 0
