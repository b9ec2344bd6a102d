import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { JsonObject } from '../../src/base/json.ts'
import type { Mutation, Store } from '../../src/store/contract.ts'

/** A small social graph that tests can tell by heart. What each of its nodes has is said where it is made. */

export const ADA = '1'
export const GRACE = '2'
export const ALAN = '3'
export const TIM = '4'
/** A person of whom nothing but the name is known. */
export const EDSGER = '5'
export const ENGINE = '20'
export const COMPILERS = '30'
export const STATUS = '301'
export const NOTICE = '302'
export const ORPHAN = '303'
export const FIRST_COMMENT = '401'
export const LAST_COMMENT = '403'
/** No node has this id. */
export const NOBODY = '999'

const SECOND = 1000

/** What the tests call now: the fourth of August 2014, noon. */
export const NOW = Date.UTC(2014, 7, 4, 12)

/** When the newest photo of Ada was made. */
export const NEWEST = Date.UTC(2014, 7, 3, 17, 41, 9)
export const NEWEST_TEXT = '2014-08-03T17:41:09+0000'

const PHOTO_COUNT = 60
const FIRST_PHOTO = 95

/**
 * The photos of Ada from the oldest to the newest. Three at a time were made in the same second, so that ids decide; the
 * ids go from two digits to three, so that they must be compared as numbers.
 */
export const PHOTOS: readonly string[] = Array.from(
  { length: PHOTO_COUNT },
  (_, index) => `${FIRST_PHOTO + index}`,
)

/** The photos as the edge answers them. */
export const NEWEST_FIRST: readonly string[] = PHOTOS.toReversed()

export const NEWEST_PHOTO = '154'
export const OLDEST_PHOTO = '95'

/** When a photo was made, by its place from the oldest. */
export const photoTime = (index: number): number =>
  NEWEST - Math.floor((PHOTO_COUNT - 1 - index) / 3) * SECOND

export const SCOPES = [
  'email',
  'user_birthday',
  'user_photos',
  'user_posts',
  'user_friends',
  'user_likes',
  'user_groups',
  'pages_show_list',
]

const putNode = (type: string, id: string, fields: JsonObject): Mutation => ({
  op: 'putNode',
  node: { id, type, fields },
})

const putEdge = (
  source: string,
  name: string,
  target: string,
  time: number,
  data?: JsonObject,
): Mutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data },
})

/** An edge and its mirror, as a store holds them. */
const putBoth = (source: string, name: string, target: string, mirror: string, time: number): Mutation[] => [
  putEdge(source, name, target, time),
  putEdge(target, mirror, source, time),
]

const sizes = (...sides: number[]) =>
  sides.map(side => ({ url: `https://img.example/ada/${side}.jpg`, width: side, height: side }))

const people = (): Mutation[] => [
  putNode('user', ADA, {
    name: 'Ada Lovelace',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.org',
    birthday: { date: '1990-12-10', show: 'full' },
    picture: sizes(50, 100, 200),
    updated_time: NEWEST,
  }),
  putNode('user', GRACE, {
    name: 'Grace Hopper',
    email: 'grace@example.org',
    birthday: { date: '1995-12-09', show: 'year' },
  }),
  putNode('user', ALAN, { name: 'Alan Turing', birthday: { date: '1996-08-04', show: 'day' } }),
  putNode('user', TIM, { name: 'Tim the Younger', birthday: { date: '2001-08-04', show: 'full' } }),
  putNode('user', EDSGER, { name: 'Edsger Dijkstra' }),
  ...putBoth(ADA, 'friends', GRACE, 'friends', NEWEST - 2 * SECOND),
  ...putBoth(ADA, 'friends', ALAN, 'friends', NEWEST - SECOND),
]

const pagesAndGroups = (): Mutation[] => [
  putNode('page', ENGINE, { name: 'The Analytical Engine', category: 'Machine', created_time: NEWEST }),
  putNode('group', COMPILERS, { name: 'Compilers', description: 'For those who write them.' }),
  putEdge(ADA, 'accounts', ENGINE, NEWEST),
  ...putBoth(ADA, 'likes', ENGINE, 'likes', NEWEST),
  ...putBoth(GRACE, 'groups', COMPILERS, 'members', NEWEST - SECOND),
  ...putBoth(ADA, 'groups', COMPILERS, 'members', NEWEST),
]

/** The status is of a person to a page, the notice of a page to a group; who wrote the orphan is gone. */
const posts = (): Mutation[] => [
  putNode('post', STATUS, { created_time: NEWEST, message: 'It works.', from: ADA, to: ENGINE }),
  putNode('post', NOTICE, {
    created_time: NEWEST - SECOND,
    message: 'We meet.',
    from: ENGINE,
    to: COMPILERS,
  }),
  putNode('post', ORPHAN, { created_time: NEWEST - 2 * SECOND, message: 'Who was it?', from: NOBODY }),
  putEdge(ADA, 'posts', STATUS, NEWEST),
  putEdge(ENGINE, 'feed', STATUS, NEWEST),
  putEdge(ENGINE, 'feed', NOTICE, NEWEST - SECOND),
  putEdge(ENGINE, 'feed', ORPHAN, NEWEST - 2 * SECOND),
  putEdge(COMPILERS, 'feed', NOTICE, NEWEST - SECOND),
  putEdge(STATUS, 'likes', GRACE, NEWEST),
]

const photos = (): Mutation[] =>
  PHOTOS.flatMap((id, index) => [
    putNode('photo', id, { created_time: photoTime(index), from: ADA, width: 640, height: 480 }),
    putEdge(ADA, 'photos', id, photoTime(index)),
  ])

/** The newest photo has three comments, of Grace, the page and one who is gone, and is liked by Grace and Alan. */
const talk = (): Mutation[] => [
  ...[GRACE, ENGINE, NOBODY].flatMap((from, index) => {
    const id = `${Number(FIRST_COMMENT) + index}`
    const time = NEWEST + (index + 1) * SECOND
    return [
      putNode('comment', id, {
        created_time: time,
        message: `Comment ${index + 1}`,
        from,
        parent: NEWEST_PHOTO,
      }),
      putEdge(NEWEST_PHOTO, 'comments', id, time),
    ]
  }),
  putEdge(NEWEST_PHOTO, 'likes', GRACE, NEWEST),
  putEdge(NEWEST_PHOTO, 'likes', ALAN, NEWEST + SECOND),
]

/** Writes the whole world into a store, as one batch. */
export const fillWorld = async <TStore extends Store>(store: TStore): Promise<TStore> => {
  await store.open()
  const mutations = [...people(), ...pagesAndGroups(), ...posts(), ...photos(), ...talk()]
  await store.write(mutations, { signal: undefined })
  return store
}

/** A store of the world, in memory. */
export const worldStore = () => fillWorld(createMemoryStore())

/** The graph of the world with sessions of those who look at it. */
export const createWorld = async () => {
  const store = await worldStore()
  const graph = createGraph(store, { now: () => NOW, appSecrets: { demo: 'the secret of demo' } })
  const app = 'demo'
  return {
    store,
    graph,
    /** Ada, who may see all that there is. */
    ada: graph.session({ viewer: ADA, app, scopes: SCOPES }),
    /** Grace, who may see all that there is. */
    grace: graph.session({ viewer: GRACE, app, scopes: SCOPES }),
    /** Ada again, on a token without any scope. */
    stranger: graph.session({ viewer: ADA, app, scopes: [] }),
    /** The page, acting for itself. */
    page: graph.session({ viewer: ENGINE, app, scopes: SCOPES }),
    /** An app on its own. */
    app: graph.session({ viewer: undefined, app, scopes: SCOPES }),
  }
}
