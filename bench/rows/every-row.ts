import { createSocialReaders, type SocialReaders } from '../contenders/social-readers.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { createAppIdsRow } from './app-ids.ts'
import { createCompileRow } from './compile.ts'
import { createCoreEntryRow } from './core-entry.ts'
import { createDatedPhotosRow } from './dated-photos.ts'
import { createEdgeParametersRow } from './edge-parameters.ts'
import { createEventLoopRow } from './event-loop.ts'
import { createGetMeRow } from './get-me.ts'
import { createGrowthRow } from './growth.ts'
import { createHttpRow } from './http.ts'
import { createHttpGrowthRow } from './http-growth.ts'
import { createLongListRow } from './long-list.ts'
import { createPhotosRow } from './photos.ts'
import { createPhotosTextRow } from './photos-text.ts'
import { createPlainWritesRow } from './plain-writes.ts'
import { createPlanCacheRow } from './plan-cache.ts'
import { createPoliciesRow } from './policies.ts'
import { createRequestBodiesRow } from './request-bodies.ts'
import type { Row } from './row.ts'
import { createScarcePageRow } from './scarce-page.ts'
import { createClusterRow } from './stores-cluster.ts'
import { createEntriesRow } from './stores-entries.ts'
import { createListsRow } from './stores-lists.ts'
import { createLoadRow } from './stores-load.ts'
import { createDistantPostgresRow, createPostgresRow } from './stores-postgres.ts'
import { createRedisRow } from './stores-redis.ts'
import { createSqliteRow } from './stores-sqlite.ts'
import { createTablesRow } from './stores-tables.ts'
import { createVisiblePageRow } from './visible-page.ts'
import { createWidthRow } from './width.ts'
import { createArchiveRow } from './workload-archive.ts'
import { createFeedRow } from './workload-feed.ts'
import { createHeapRow } from './workload-heap.ts'
import { createStartRow } from './workload-start.ts'
import { createTaoRow } from './workload-tao.ts'
import { createWideRow } from './workload-wide.ts'

/** The options of rows, from the command line. */
export type RowOptions = {
  /** The path of an archive to load. */
  readonly archive: string | undefined
  /** Whether to also measure the largest graph, which takes minutes and gigabytes of memory. */
  readonly isLarge: boolean
  /** The number of objects for the TAO reads, or `undefined` for the default. */
  readonly objects: number | undefined
}

/** Creates all rows. Several rows share readers. The first of these rows that runs creates the readers. */
export const createEveryRow = (
  shutdown: Shutdown,
  { archive, isLarge, objects }: RowOptions,
): readonly Row[] => {
  let readers: Promise<SocialReaders> | undefined
  const readersOf = (): Promise<SocialReaders> => {
    readers ??= createSocialReaders()
    return readers
  }
  return [
    createGetMeRow(readersOf),
    createPhotosRow(readersOf),
    createDatedPhotosRow(readersOf),
    createPhotosTextRow(readersOf),
    createCompileRow(),
    createLongListRow(),
    createGrowthRow(isLarge),
    createWidthRow(),
    createPoliciesRow(readersOf),
    createVisiblePageRow(),
    createEdgeParametersRow(),
    createPlainWritesRow(shutdown),
    createEventLoopRow(shutdown),
    createAppIdsRow(readersOf),
    createTaoRow(objects),
    createFeedRow(),
    createWideRow(),
    createArchiveRow(archive),
    createStartRow(shutdown),
    createHeapRow(readersOf),
    createPlanCacheRow(shutdown),
    createCoreEntryRow(),
    createHttpRow(shutdown),
    createHttpGrowthRow(shutdown),
    createRequestBodiesRow(),
    createSqliteRow(shutdown),
    createPostgresRow(shutdown),
    createDistantPostgresRow(shutdown),
    createTablesRow(shutdown),
    createRedisRow(shutdown),
    createClusterRow(shutdown),
    createListsRow(shutdown),
    createEntriesRow(shutdown),
    createScarcePageRow(shutdown),
    createLoadRow(shutdown, archive),
  ]
}
