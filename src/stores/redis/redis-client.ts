/** Commands that go out together, as `pipeline` of ioredis gives them. */
export interface RedisPipeline {
  /** Sends them, and answers each with its error or its result, by position. */
  exec(): PromiseLike<readonly (readonly [error: Error | null, result?: unknown])[] | null>
}

/** What the store needs of a client: `Redis` and `Cluster` of ioredis both fit. */
export interface RedisClient {
  /** Gathers commands, each a list of its name in lower case and its arguments. */
  pipeline(commands: string[][]): RedisPipeline
  /** Sends one command; a cluster's client finds its node by the first key, and follows redirections. */
  call(command: string, args: string[]): PromiseLike<unknown>
  /** Of a cluster only: the addresses that serve each of its slots, the master first. */
  readonly slots?: readonly (readonly string[])[]
  /** Of a cluster only: clients of its masters. */
  nodes?(role: 'master'): readonly Pick<RedisClient, 'call'>[]
  /** What the client puts before every key. */
  readonly options?: { readonly keyPrefix?: string | undefined }
}
