export type { RedisClient, RedisPipeline } from './command-sender.ts'
export type { RedisRecovery } from './note-settler.ts'
export { createRedisStore, type RedisStore, type RedisStoreOptions } from './redis-store.ts'
