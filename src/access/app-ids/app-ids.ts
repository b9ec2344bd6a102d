import type { NodeId } from '../../base/ids.ts'

/** The ids of nodes as one app knows them. */
export interface AppIdMapper {
  /**
   * Returns the public id of a node: 20 digits, beginning with the number of the current key.
   *
   * @throws TypeError for a value that is not a raw id.
   */
  toPublic(id: NodeId): string
  /**
   * Returns the raw id of a public one, which may have been created with any of the keys. Returns undefined
   * for a text that is not a public id, and for an unknown key. A forged id usually becomes a raw id, but one
   * that no node has.
   */
  toRaw(publicId: string): NodeId | undefined
}

/** Maps the ids of nodes to ids that are different for each app, and back. */
export interface AppIds {
  /**
   * Returns the ids of one app. It is called at most once per query, so that mapping a cached id is one lookup.
   *
   * @throws TypeError for an invalid name of an app.
   */
  forApp(app: string): AppIdMapper
}

/** The ids of one app, which `forApp` prepares at the first use: most queries map no id. */
export class LazyAppIdMapper implements AppIdMapper {
  readonly #appIds: AppIds
  readonly #app: string
  #mapper: AppIdMapper | undefined

  constructor(appIds: AppIds, app: string) {
    this.#appIds = appIds
    this.#app = app
  }

  toPublic(id: NodeId): string {
    return this.#getMapper().toPublic(id)
  }

  toRaw(publicId: string): NodeId | undefined {
    return this.#getMapper().toRaw(publicId)
  }

  #getMapper(): AppIdMapper {
    this.#mapper ??= this.#appIds.forApp(this.#app)
    return this.#mapper
  }
}

const PUBLIC_ID_LENGTH = 20
const PUBLIC_ID_PATTERN = /^[1-9][0-9]*$/

/** Whether a value has the form of a public id: raw ids have at most 19 digits. */
export const isPublicId = (value: unknown): boolean =>
  typeof value === 'string' && value.length === PUBLIC_ID_LENGTH && PUBLIC_ID_PATTERN.test(value)
