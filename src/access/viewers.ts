import { describeValue } from '../base/describe.ts'
import type { IdKind, NodeId } from '../base/ids.ts'
import { prefixOf } from '../base/named-ids.ts'
import { usageError } from '../base/usage-error.ts'
import { idPrefixOf } from '../schema/id-prefixes.ts'
import type { Schema } from '../schema/schema.ts'
import { isViewerOfKind, viewerError } from './grant.ts'

/** The viewers that a graph may have: nodes of its viewer types. Only named ids tell the types of their nodes. */
export class Viewers {
  readonly kind: IdKind
  readonly #prefixes: readonly string[]

  constructor({ ids, types, viewers }: Pick<Schema, 'ids' | 'types' | 'viewers'>) {
    this.kind = ids
    this.#prefixes = viewers.map(type => idPrefixOf(types, type))
  }

  /** Returns the error for an id that no viewer can have. Whether the node exists is not checked. */
  findError(location: string, path: string, viewer: NodeId | undefined): TypeError | undefined {
    if (!isViewerOfKind(viewer, this.kind)) return viewerError(location, path, viewer, this.kind)
    const mayBeViewer =
      viewer === undefined || this.kind === 'digits' || this.#prefixes.includes(prefixOf(viewer))
    if (mayBeViewer) return undefined
    const beginnings = this.#prefixes.map(prefix => `"${prefix}-"`).join(' or ')
    const expected = `an id that begins with ${beginnings}, or undefined`
    return usageError(location, path, expected, describeValue(viewer))
  }
}
