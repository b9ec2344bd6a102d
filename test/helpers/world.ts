import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { JsonObject } from '../../src/base/json.ts'
import type { Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'

/** A small social graph for many tests. The comments of its functions describe its nodes. */

export const ADA = '1'
export const GRACE = '2'
export const ALAN = '3'
export const TIM = '4'
/** A person who has only a name. */
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

/** The current time of the tests: noon on 4 August 2014. */
export const NOW = Date.UTC(2014, 7, 4, 12)

/** The time of the newest photo of Ada. */
export const NEWEST_TIME = Date.UTC(2014, 7, 3, 17, 41, 9)
export const NEWEST_TIME_TEXT = '2014-08-03T17:41:09+0000'

const PHOTO_COUNT = 60
const FIRST_PHOTO = 95

/**
 * The photos of Ada from the oldest to the newest. Every three consecutive photos have the same time, so that
 * the ids decide their order. The ids have two or three digits, so that they must be compared as numbers.
 */
export const PHOTOS: readonly string[] = Array.from(
  { length: PHOTO_COUNT },
  (_, index) => `${FIRST_PHOTO + index}`,
)

/** The photos of Ada in the order of the edge `photos`. */
export const NEWEST_FIRST: readonly string[] = PHOTOS.toReversed()

export const NEWEST_PHOTO = '154'
export const OLDEST_PHOTO = '95'

/** Returns the time of a photo by its index from the oldest. */
export const photoTime = (index: number): number =>
  NEWEST_TIME - Math.floor((PHOTO_COUNT - 1 - index) / 3) * SECOND

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

const putNode = (type: string, id: string, fields: JsonObject): StoreMutation => ({
  op: 'putNode',
  node: { id, type, fields },
})

const putEdge = (
  source: string,
  name: string,
  target: string,
  time: number,
  data?: JsonObject,
): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data },
})

/** Returns the mutations of an edge and its mirror. */
const putBoth = (
  source: string,
  name: string,
  target: string,
  mirror: string,
  time: number,
): StoreMutation[] => [putEdge(source, name, target, time), putEdge(target, mirror, source, time)]

const sizes = (...sides: number[]) =>
  sides.map(side => ({ url: `https://img.example/ada/${side}.jpg`, width: side, height: side }))

const people = (): StoreMutation[] => [
  putNode('user', ADA, {
    name: 'Ada Lovelace',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.org',
    birthday: { date: '1990-12-10', show: 'full' },
    picture: sizes(50, 100, 200),
    updated_time: NEWEST_TIME,
  }),
  putNode('user', GRACE, {
    name: 'Grace Hopper',
    email: 'grace@example.org',
    birthday: { date: '1995-12-09', show: 'year' },
  }),
  putNode('user', ALAN, { name: 'Alan Turing', birthday: { date: '1996-08-04', show: 'day' } }),
  putNode('user', TIM, { name: 'Tim the Younger', birthday: { date: '2001-08-04', show: 'full' } }),
  putNode('user', EDSGER, { name: 'Edsger Dijkstra' }),
  ...putBoth(ADA, 'friends', GRACE, 'friends', NEWEST_TIME - 2 * SECOND),
  ...putBoth(ADA, 'friends', ALAN, 'friends', NEWEST_TIME - SECOND),
]

const pagesAndGroups = (): StoreMutation[] => [
  putNode('page', ENGINE, { name: 'The Analytical Engine', category: 'Machine', created_time: NEWEST_TIME }),
  putNode('group', COMPILERS, { name: 'Compilers', description: 'For those who write them.' }),
  putEdge(ADA, 'accounts', ENGINE, NEWEST_TIME),
  ...putBoth(ADA, 'likes', ENGINE, 'likes', NEWEST_TIME),
  ...putBoth(GRACE, 'groups', COMPILERS, 'members', NEWEST_TIME - SECOND),
  ...putBoth(ADA, 'groups', COMPILERS, 'members', NEWEST_TIME),
]

/**
 * The status is from a person to a page, and the notice from a page to a group. The author of the orphan does
 * not exist.
 */
const posts = (): StoreMutation[] => [
  putNode('post', STATUS, { created_time: NEWEST_TIME, message: 'It works.', from: ADA, to: ENGINE }),
  putNode('post', NOTICE, {
    created_time: NEWEST_TIME - SECOND,
    message: 'We meet.',
    from: ENGINE,
    to: COMPILERS,
  }),
  putNode('post', ORPHAN, { created_time: NEWEST_TIME - 2 * SECOND, message: 'Who was it?', from: NOBODY }),
  putEdge(ADA, 'posts', STATUS, NEWEST_TIME),
  putEdge(ENGINE, 'feed', STATUS, NEWEST_TIME),
  putEdge(ENGINE, 'feed', NOTICE, NEWEST_TIME - SECOND),
  putEdge(ENGINE, 'feed', ORPHAN, NEWEST_TIME - 2 * SECOND),
  putEdge(COMPILERS, 'feed', NOTICE, NEWEST_TIME - SECOND),
  putEdge(STATUS, 'likes', GRACE, NEWEST_TIME),
]

const photos = (): StoreMutation[] =>
  PHOTOS.flatMap((id, index) => [
    putNode('photo', id, { created_time: photoTime(index), from: ADA, width: 640, height: 480 }),
    putEdge(ADA, 'photos', id, photoTime(index)),
  ])

/**
 * The newest photo has three comments, by Grace, the page and a missing node, and likes of Grace and Alan.
 */
const comments = (): StoreMutation[] => [
  ...[GRACE, ENGINE, NOBODY].flatMap((from, index) => {
    const id = `${Number(FIRST_COMMENT) + index}`
    const time = NEWEST_TIME + (index + 1) * SECOND
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
  putEdge(NEWEST_PHOTO, 'likes', GRACE, NEWEST_TIME),
  putEdge(NEWEST_PHOTO, 'likes', ALAN, NEWEST_TIME + SECOND),
]

/** Writes the whole world to a store in one batch. */
export const fillWorld = async <TStore extends Store>(store: TStore): Promise<TStore> => {
  await store.open()
  const mutations = [...people(), ...pagesAndGroups(), ...posts(), ...photos(), ...comments()]
  await store.write(mutations, { signal: undefined })
  return store
}

/** Creates a memory store of the world. */
export const createWorldStore = () => fillWorld(createMemoryStore())

/** Creates the graph of the world, with sessions of several viewers. */
export const createWorld = async () => {
  const store = await createWorldStore()
  const graph = createGraph(store, { now: () => NOW, appSecrets: { demo: 'the secret of demo' } })
  const app = 'demo'
  return {
    store,
    graph,
    /** Ada with all scopes. */
    ada: graph.session({ viewer: ADA, app, scopes: SCOPES }),
    /** Grace with all scopes. */
    grace: graph.session({ viewer: GRACE, app, scopes: SCOPES }),
    /** Ada without scopes. */
    unscoped: graph.session({ viewer: ADA, app, scopes: [] }),
    /** The page as a viewer. */
    page: graph.session({ viewer: ENGINE, app, scopes: SCOPES }),
    /** An app without a viewer. */
    app: graph.session({ viewer: undefined, app, scopes: SCOPES }),
  }
}
