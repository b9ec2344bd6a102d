export { type Client, createClient } from './client.ts'
export type { ClientOptions, Fetch, RetryOptions } from './client-options.ts'
