import type { Awaitable } from '../base/awaitable.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import type {
  Store,
  StoreReader,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
} from '../store/contract.ts'
import type { StoreMutation } from '../store/mutations.ts'
import { EMPTY_REQUEST } from '../store/requests.ts'
import type { TableSource } from './table-source.ts'

/** Reads tables and tokens at once. */
const readBoth = async (
  tables: StoreReader,
  tokens: Store,
  request: StoreReadRequest,
  options: StoreReadOptions,
): Promise<StoreReadResult> => {
  const [result, { tokens: records }] = await Promise.all([
    tables.read({ ...request, tokens: [] }, options),
    tokens.read({ ...EMPTY_REQUEST, tokens: request.tokens }, { ...options, session: undefined }),
  ])
  return { ...result, tokens: records }
}

/** Reads the tokens of a request from their own store, and everything else from tables: synchronously if these are. */
const readWithTokens = (
  tables: StoreReader,
  tokens: Store | undefined,
  request: StoreReadRequest,
  options: StoreReadOptions,
): Awaitable<StoreReadResult> =>
  request.tokens.length === 0 || tokens === undefined
    ? tables.read(request, options)
    : readBoth(tables, tokens, request, options)

/**
 * Returns the store that a batch is written to.
 *
 * @throws TypeError for a mutation that is not one of a token, and without a store of tokens for every batch.
 */
const requireTokenStore = (mutations: readonly StoreMutation[], tokens: Store | undefined): Store => {
  if (tokens !== undefined && mutations.every(({ op }) => op.endsWith('Token'))) return tokens
  throw usageErrorAbout(
    'store.write',
    'the store',
    'one that can write',
    'a store over tables, which only reads them: your own programs write',
  )
}

/** Creates the store of tables, and of the tokens of another store. */
export const createStoreWithTokens = (source: TableSource, tokens: Store | undefined): Store =>
  Object.freeze<Store>({
    capabilities: Object.freeze({
      ...source.capabilities,
      atomicity: 'batch',
      conditionalWrites: false,
      collections: true,
      ids: Object.freeze(['named' as const]),
      writes: tokens === undefined ? 'none' : 'tokens',
    }),
    open: () => tokens?.open(),
    close: () => {
      source.close?.()
      return tokens?.close()
    },
    read: (request, options) => readWithTokens(source, tokens, request, options),
    snapshot: async options => {
      const view = await source.snapshot(options?.session)
      return {
        read: (request, readOptions) => readWithTokens(view, tokens, request, readOptions),
        close: () => view.close(),
      }
    },
    write: async (mutations, options) => requireTokenStore(mutations, tokens).write(mutations, options),
  })
