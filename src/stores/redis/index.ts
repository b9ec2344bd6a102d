export type { RedisClient, RedisPipeline } from './command-sender.ts'
export type { RedisRecovery } from './recovery.ts'
export { createRedisStore, type RedisStore, type RedisStoreOptions } from './redis-store.ts'
