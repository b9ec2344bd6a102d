import { createGraph } from 'kithgraph'
import { createSocialStore } from '../contenders/graph.ts'
import { PHOTOS } from '../data/expressions.ts'
import type { Prepare } from './start-types.ts'

export const prepare: Prepare = async ({ data, viewer, token, digest, secret }) => {
  const store = await createSocialStore(data)
  const record = {
    viewer,
    app: 'bench',
    scopes: ['user_photos'],
    issuedAt: Date.now(),
    expiresAt: undefined,
    revokedAt: undefined,
    generation: '',
  }
  store.write([{ op: 'putToken', digest, token: record }])
  return () => {
    const { getMe } = createGraph(store, { secret })
    return { getMe: () => getMe(token), getPhotos: () => getMe(token, { fields: PHOTOS }) }
  }
}
