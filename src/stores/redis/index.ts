export type { RedisClient, RedisPipeline } from './redis-client.ts'
export { createRedisStore, type RedisStore, type RedisStoreOptions } from './redis-store.ts'
