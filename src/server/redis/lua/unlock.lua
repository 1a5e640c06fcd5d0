-- KEYS: a lock. ARGV: its owner. Deletes the lock if the owner still holds it.

if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
return 0
