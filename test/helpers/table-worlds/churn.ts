import fc, { type Arbitrary } from 'fast-check'
import type { ListReference } from '../list-reference.ts'
import type { Caller } from '../probes.ts'
import { createCallers } from './compare.ts'
import type { WorldTables } from './graph.ts'
import { type PhotoRow, STATES, type TableWorld, TENANTS, TEXTS } from './rows.ts'

const [TENANT] = TENANTS

/** The keys of photos that other programs write begin here. */
const FIRST_OTHER = 1000
const micros = fc.constantFrom(0, 0, 1, 2, 999, 1000, 1001, 1_000_000)

const photos = (firstId: number): Arbitrary<readonly PhotoRow[]> =>
  fc
    .array(
      fc.record({
        tenant: fc.constant(TENANT),
        created: micros,
        isDeleted: fc.constant(false),
        owner: fc.constant(1),
        title: fc.option(fc.constantFrom(...TEXTS.filter(text => text.length < 500)), { freq: 3 }),
        state: fc.constantFrom(...STATES),
        rating: fc.option(fc.constantFrom(0, 0.1, -1.5, 2), { freq: 3 }),
        taken: fc.option(micros, { freq: 3 }),
      }),
      { minLength: 5, maxLength: 20 },
    )
    .map(rows => rows.map((row, index) => ({ ...row, id: firstId + index })))

/** A list whose photos stay, photos that other programs write meanwhile, and how the list is read. */
export type ChurnCase = {
  readonly world: TableWorld
  readonly others: readonly PhotoRow[]
  readonly limit: number
  readonly order: string
}

/** Lists of one account in each of their orders. */
export const churnCases: Arbitrary<ChurnCase> = fc
  .record({
    photos: photos(1),
    others: photos(FIRST_OTHER),
    limit: fc.integer({ min: 1, max: 4 }),
    order: fc.constantFrom('chronological', 'reverse_chronological', 'taken', 'rated', 'titled'),
  })
  .map(({ photos: rows, ...others }) => ({
    ...others,
    world: {
      accounts: [
        {
          ...{ id: 1, tenant: TENANT, created: 0, isDeleted: false, name: 'a', mood: 'calm', boss: null },
          ...{ price: null, isActive: true, followerCount: 0 },
        },
      ],
      photos: rows,
      ...{ comments: [], follows: [], teams: [], memberships: [], revisions: [] },
    },
  }))

/** Returns the ids of the photos that stay, in an order. */
export const listStaying = (model: ListReference, order: string): readonly string[] => {
  const isTime = order.endsWith('chronological')
  const name = isTime ? 'photos__0' : `photos__0#${order}`
  const ids = model.lists.get(`account-1 ${name}`)?.entries.map(({ target }) => target) ?? []
  return order === 'chronological' || order === 'titled' ? ids : ids.toReversed()
}

/** Creates the caller that reads the list. */
export const createReader = (
  schema: WorldTables['schema'],
  store: Parameters<typeof createCallers>[1],
): Caller => createCallers(schema, store)({ viewer: 1, tenant: TENANT })

/** Reads a list page by page, and returns the ids of the photos that stay. `between` runs after each page. */
export const readStaying = async (
  { graph, session }: Caller,
  { limit, order }: Pick<ChurnCase, 'limit' | 'order'>,
  between: () => Promise<void> | void,
): Promise<readonly string[]> => {
  const ids: string[] = []
  let after: string | undefined
  do {
    const page = await graph.getEdge(session, { id: 'account-1', edge: 'photos', limit, order, after })
    ids.push(...page.data.map(({ id }) => `${id}`))
    after = page.paging?.next && page.paging.cursors.after
    await between()
  } while (after !== undefined)
  return ids.filter(id => Number(id.replace('photo-', '')) < FIRST_OTHER)
}

/** A write of another program, as the text of a statement that both databases accept. */
export const writesOf = (others: readonly PhotoRow[]): readonly string[] =>
  others.flatMap(({ id, state }, index) => {
    const time = `2024-01-01T00:00:00.00${index % 10}001Z`
    const values = `${id}, 1, ${TENANT}, '${state}', '${time}'`
    return [
      `insert into photo (id, owner_id, tenant, state, created_at) values (${values}) on conflict (id) do nothing`,
      `update photo set created_at = '2024-01-01T00:00:01.000000Z', taken_at = '${time}', rating = ${index} where id = ${id}`,
      index % 2 === 0
        ? `delete from photo where id = ${id - 1}`
        : `update photo set deleted_at = created_at where id = ${id}`,
    ]
  })
