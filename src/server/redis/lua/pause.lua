-- KEYS: each bucket. ARGV: ms for each, in which nothing is granted.

for i, key in ipairs(KEYS) do
  local stored = redis.call('HMGET', key, 'until', 'ttl')
  local till = math.max(tonumber(stored[1] or 0), now + ARGV[i])
  writeBucket(key, stored[2], till - now + 1000, { 'until', toInteger(till) })
end
return 1
