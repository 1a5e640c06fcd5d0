-- KEYS: the state of a purchase, its claim. ARGV: owner, ttl. Returns the state before, `new`, or `busy` while another owner holds it.

if not redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return 'busy' end
local state = redis.call('GET', KEYS[1])
if state then return state end
redis.call('SET', KEYS[1], 'claimed')
return 'new'
