-- KEYS: the state of a purchase, its claim. ARGV: owner, state. Returns 1 if the owner holds the claim, which ends.

if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('DEL', KEYS[2])
return 1
