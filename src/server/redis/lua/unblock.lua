-- KEYS: a bucket. Ends a block. Then one request at a time is allowed.

return redis.call('HDEL', KEYS[1], 'until')
