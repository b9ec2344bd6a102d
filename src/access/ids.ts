import { describe } from '../base/describe.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'
import type { AppIds, IdsOfApp } from './app-ids/app-ids.ts'
import { isApp } from './grant.ts'

const IDENTITY: IdsOfApp = {
  toPublic: id => id,
  toRaw: id => (isNodeId(id) ? id : undefined),
}

/** Turns ids for the service itself. Without {@link AppIds} every app sees those that the store holds. */
export class Ids {
  readonly #appIds: AppIds | undefined

  constructor(appIds: AppIds | undefined) {
    this.#appIds = appIds
  }

  toPublic(id: NodeId, app: string): string {
    if (!isNodeId(id)) throw new TypeError(`ids.toPublic: id must be the id of a node, came ${describe(id)}`)
    return this.#of('ids.toPublic', app).toPublic(id)
  }

  toRaw(publicId: string, app: string): NodeId | undefined {
    if (typeof publicId !== 'string') {
      throw new TypeError(`ids.toRaw: publicId must be text, came ${describe(publicId)}`)
    }
    return this.#of('ids.toRaw', app).toRaw(publicId)
  }

  #of(place: string, app: unknown): IdsOfApp {
    if (!isApp(app)) throw new TypeError(`${place}: app must be the name of an app, came ${describe(app)}`)
    return this.#appIds?.forApp(app) ?? IDENTITY
  }
}
