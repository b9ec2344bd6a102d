import { describeValue } from '../base/describe.ts'
import { isNodeId, type PublicId, type RawId } from '../base/ids.ts'
import { usageError } from '../base/usage-error.ts'
import type { AppIdMapper, AppIds } from './app-ids/app-ids.ts'
import { assertAppName } from './grant.ts'

const IDENTITY_MAPPER: AppIdMapper = {
  // The text is the same. Only its type changes.
  toPublic: id => `${id}`,
  toRaw: id => (isNodeId(id) ? `${id}` : undefined),
}

/**
 * Converts ids for the service itself (`graph.ids`). Without {@link AppIds}, public ids are the stored ids.
 */
export class IdMapper {
  readonly #appIds: AppIds | undefined

  constructor(appIds: AppIds | undefined) {
    this.#appIds = appIds
  }

  toPublic(id: RawId, app: string): PublicId {
    if (!isNodeId(id)) throw usageError('ids.toPublic', 'id', 'the id of a node', describeValue(id))
    return this.#mapperOf('ids.toPublic', app).toPublic(id)
  }

  toRaw(publicId: PublicId, app: string): RawId | undefined {
    if (typeof publicId !== 'string') {
      throw usageError('ids.toRaw', 'publicId', 'a string', describeValue(publicId))
    }
    return this.#mapperOf('ids.toRaw', app).toRaw(publicId)
  }

  #mapperOf(location: string, app: unknown): AppIdMapper {
    assertAppName(location, app)
    return this.#appIds?.forApp(app) ?? IDENTITY_MAPPER
  }
}
