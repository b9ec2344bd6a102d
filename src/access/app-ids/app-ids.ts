import type { IdKind, NodeId, PublicId } from '../../base/ids.ts'

/** Converts the ids of nodes to the public ids of one app, and back. */
export interface AppIdMapper {
  /**
   * Returns the public id of a node: 20 digits, or a type, `-~` and an encrypted key. The first digit, which
   * follows `~` in a named id, is the number of the current key.
   *
   * @throws TypeError for a value that is not a raw id.
   */
  toPublic(id: NodeId): PublicId
  /**
   * Returns the raw id for a public id that was created with any of the keys, or `undefined` for a text that
   * is not a public id, for an unknown key, or for a forged named id. For forged digits, the result is usually an
   * id that no node has.
   */
  toRaw(publicId: PublicId): NodeId | undefined
}

/** Creates the mappers between raw ids and the public ids of each app. */
export interface AppIds {
  /**
   * Returns the mapper of one app. A query calls this method at most once, so the conversion of a cached id
   * is one lookup.
   *
   * @throws TypeError for an invalid name of an app.
   */
  forApp(app: string): AppIdMapper
}

/** A mapper that calls `forApp` on first use, because most queries convert no id. */
export class LazyAppIdMapper implements AppIdMapper {
  readonly #appIds: AppIds
  readonly #app: string
  #mapper: AppIdMapper | undefined

  constructor(appIds: AppIds, app: string) {
    this.#appIds = appIds
    this.#app = app
  }

  toPublic(id: NodeId): PublicId {
    return this.#getMapper().toPublic(id)
  }

  toRaw(publicId: PublicId): NodeId | undefined {
    return this.#getMapper().toRaw(publicId)
  }

  #getMapper(): AppIdMapper {
    this.#mapper ??= this.#appIds.forApp(this.#app)
    return this.#mapper
  }
}

const PUBLIC_ID_LENGTH = 20
const PUBLIC_ID_PATTERN = /^[1-9][0-9]*$/

/** The character at the beginning of the key of a named public id. The key of a raw id never begins with it. */
export const PUBLIC_KEY_MARK = '~'

const isPublicDigitsId = (text: string): boolean =>
  text.length === PUBLIC_ID_LENGTH && PUBLIC_ID_PATTERN.test(text)

/** Whether a text is a type, `-` and a key that begins with `~`. */
const isPublicNamedId = (text: string): boolean => {
  const separator = text.indexOf('-')
  return separator > 0 && text.charAt(separator + 1) === PUBLIC_KEY_MARK
}

/**
 * Whether an id that was requested is a public id of a kind: 20 digits, of which raw ids have at most 19, or a
 * named id whose key begins with `~`.
 */
export const isPublicIdOfKind = (kind: IdKind, value: unknown): boolean =>
  typeof value === 'string' && (kind === 'digits' ? isPublicDigitsId(value) : isPublicNamedId(value))

/** Whether a value has the form of a public id of either kind. */
export const isPublicId = (value: unknown): boolean =>
  typeof value === 'string' && (isPublicDigitsId(value) || isPublicNamedId(value))
