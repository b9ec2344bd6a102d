/** Commands that are sent together, as a `pipeline` of ioredis. */
export interface RedisPipeline {
  /** Sends them. Resolves to the error or result of each, by position. */
  exec(): PromiseLike<readonly (readonly [error: Error | null, result?: unknown])[] | null>
}

/** The required part of a client: both `Redis` and `Cluster` of ioredis are assignable. */
export interface RedisClient {
  /** Collects commands, each a list of its name in lower case and its arguments. */
  pipeline(commands: string[][]): RedisPipeline
  /** Sends one command. The client of a cluster selects its node by the first key, and follows redirects. */
  call(command: string, args: string[]): PromiseLike<unknown>
  /** Only for a cluster: the addresses that serve each of its slots, the master first. */
  readonly slots?: readonly (readonly string[])[]
  /** Only for a cluster: clients of its masters. */
  nodes?(role: 'master'): readonly Pick<RedisClient, 'call'>[]
  /** The prefix that the client adds to every key. */
  readonly options?: { readonly keyPrefix?: string | undefined }
}
