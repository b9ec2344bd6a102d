import { describeValue } from '../base/describe.ts'
import { type IdKind, isIdOfKind, type PublicId, type RawId } from '../base/ids.ts'
import { usageError } from '../base/usage-error.ts'
import type { AppIdMapper, AppIds } from './app-ids/app-ids.ts'
import { assertAppName } from './grant.ts'

/**
 * Converts ids for the service itself (`graph.ids`). Without {@link AppIds}, public ids are the stored ids.
 */
export class IdMapper {
  readonly #kind: IdKind
  readonly #appIds: AppIds | undefined

  constructor(kind: IdKind, appIds: AppIds | undefined) {
    this.#kind = kind
    this.#appIds = appIds
  }

  toPublic(id: RawId, app: string): PublicId {
    if (!isIdOfKind(this.#kind, id))
      throw usageError('ids.toPublic', 'id', 'the id of a node', describeValue(id))
    // Without app-scoped ids, the text is the same. Only its type changes.
    const mapper = this.#mapperOf('ids.toPublic', app)
    return mapper === undefined ? `${id}` : mapper.toPublic(id)
  }

  toRaw(publicId: PublicId, app: string): RawId | undefined {
    if (typeof publicId !== 'string') {
      throw usageError('ids.toRaw', 'publicId', 'a string', describeValue(publicId))
    }
    const mapper = this.#mapperOf('ids.toRaw', app)
    const id = mapper === undefined ? `${publicId}` : mapper.toRaw(publicId)
    return isIdOfKind(this.#kind, id) ? id : undefined
  }

  #mapperOf(location: string, app: unknown): AppIdMapper | undefined {
    assertAppName(location, app)
    return this.#appIds?.forApp(app)
  }
}
