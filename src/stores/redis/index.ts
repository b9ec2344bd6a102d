export type { RedisClient, RedisPipeline } from './redis-client.ts'
export { createRedisStore, type RedisStoreOptions } from './redis-store.ts'
