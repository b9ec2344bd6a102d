import fc, { type Arbitrary } from 'fast-check'

/** The tenants of a world. Its viewers are of the first. */
export const TENANTS = [4711, 4712] as const

/** Columns that every row has: its tenant, and its time in microseconds after {@link START}. */
type Shared = { readonly tenant: number; readonly created: number }
type SoftDeleted = { readonly isDeleted: boolean }

export type AccountRow = Shared &
  SoftDeleted & {
    readonly id: number
    readonly name: string
    readonly mood: string
    readonly boss: number | null
    readonly price: string | null
    readonly isActive: boolean
    /** What a program of the team has counted, which may be wrong. */
    readonly followerCount: number
  }
export type PhotoRow = Shared &
  SoftDeleted & {
    readonly id: number
    readonly owner: number
    readonly title: string | null
    readonly state: string
    readonly rating: number | null
    readonly taken: number | null
  }
export type CommentRow = Shared &
  SoftDeleted & {
    readonly id: string
    readonly photo: number
    readonly author: number
    readonly body: string
  }
export type FollowRow = Shared & {
  readonly follower: number
  readonly followee: number
  readonly note: string | null
  readonly isMuted: boolean
}
export type TeamRow = Shared & { readonly slug: string; readonly name: string }
export type MembershipRow = Shared & {
  readonly team: string
  readonly account: number
  readonly role: string | null
}
export type RevisionRow = Shared & {
  readonly photo: number
  readonly number: number
  readonly caption: string | null
  readonly editor: number | null
  readonly previous: number | null
}

/** The rows of the tables of a world. */
export type TableWorld = {
  readonly accounts: readonly AccountRow[]
  readonly photos: readonly PhotoRow[]
  readonly comments: readonly CommentRow[]
  readonly follows: readonly FollowRow[]
  readonly teams: readonly TeamRow[]
  readonly memberships: readonly MembershipRow[]
  readonly revisions: readonly RevisionRow[]
}

/** The first time of a world. */
export const START = Date.UTC(2024, 0, 1)

export const MOODS = ['calm', 'busy'] as const
export const STATES = ['draft', 'public'] as const

/** Keys that are different in each collation. */
export const SLUGS = ['10', '9', 'a', 'B', "it's", 'two words', 'z', 'é', '日本', '_x'] as const

/** Texts of which collations find some equal, or order them in other ways. */
export const TEXTS = [
  ...SLUGS,
  '',
  ' ',
  'A',
  'a ',
  'b',
  'É',
  'e\u0301',
  'ss',
  'ß',
  '"quoted"',
  'x'.repeat(499),
  // Longer than the key of a position.
  'x'.repeat(500),
] as const

const ACCOUNTS = [1, 2, 3, 9, 10]
const PHOTOS = [1, 2, 3, 9, 10, 11, 12]
const UUIDS = ['0f', 'a0', 'b1', '9c', 'ff', '10', 'c2'].map(
  byte => `${byte}0190f3-c2aa-7000-8000-0000000000${byte}`,
)

/** Microseconds: many rows have equal times, or times of one millisecond. */
const micros = fc.constantFrom(0, 0, 1, 2, 999, 1000, 1001, 2500, 999_999, 1_000_000, 86_400_000_000)
const texts = fc.oneof(fc.constantFrom(...TEXTS), fc.constantFrom('a', 'a', 'A', 'b'))
const orNull = <T>(values: Arbitrary<T>): Arbitrary<T | null> => fc.option(values, { freq: 3 })
const shared = {
  tenant: fc.oneof(
    { arbitrary: fc.constant(TENANTS[0]), weight: 9 },
    { arbitrary: fc.constant(TENANTS[1]), weight: 1 },
  ),
  created: micros,
}
const isDeleted = fc.oneof(
  { arbitrary: fc.constant(false), weight: 9 },
  { arbitrary: fc.constant(true), weight: 1 },
)
/** Mostly the first accounts, so that their lists are long, and sometimes one that does not exist. */
const account = fc.constantFrom(1, 1, 1, 1, 2, 2, 2, 3, 3, 9, 10, 77)
const photo = fc.constantFrom(1, 1, 1, 2, 2, 9, 10, 77)
const slug = fc.constantFrom(...SLUGS)

/** Most of the rows that keys allow. */
const uniqueBy = <T>(rows: Arbitrary<T>, selector: (row: T) => string, maxLength: number): Arbitrary<T[]> =>
  fc.uniqueArray(rows, { selector, minLength: maxLength - 2, maxLength })

const accounts = uniqueBy(
  fc.record<AccountRow>({
    ...shared,
    isDeleted,
    id: fc.constantFrom(...ACCOUNTS),
    name: texts,
    mood: fc.constantFrom(...MOODS),
    boss: orNull(account),
    price: orNull(fc.constantFrom('0.00', '1.50', '-2.25', '10.00')),
    isActive: fc.boolean(),
    followerCount: fc.nat(3),
  }),
  ({ id }) => `${id}`,
  ACCOUNTS.length,
)
const photos = uniqueBy(
  fc.record<PhotoRow>({
    ...shared,
    isDeleted,
    id: fc.constantFrom(...PHOTOS),
    owner: account,
    title: orNull(texts),
    state: fc.constantFrom(...STATES),
    rating: orNull(fc.constantFrom(0, 0.1, -1.5, 1e21, 2)),
    taken: orNull(micros),
  }),
  ({ id }) => `${id}`,
  PHOTOS.length,
)
const comments = uniqueBy(
  fc.record<CommentRow>({
    ...shared,
    isDeleted,
    id: fc.constantFrom(...UUIDS),
    photo,
    author: account,
    body: texts,
  }),
  ({ id }) => id,
  UUIDS.length,
)
const follows = uniqueBy(
  fc.record<FollowRow>({
    ...shared,
    follower: account,
    followee: account,
    note: orNull(texts),
    isMuted: fc.boolean(),
  }),
  ({ follower, followee }) => `${follower} ${followee}`,
  12,
)
const teams = uniqueBy(
  fc.record<TeamRow>({ ...shared, slug, name: texts }),
  ({ slug: key }) => key,
  SLUGS.length,
)
const memberships = uniqueBy(
  fc.record<MembershipRow>({
    ...shared,
    team: slug,
    account,
    role: orNull(fc.constantFrom('owner', 'member')),
  }),
  ({ team, account: member }) => `${team} ${member}`,
  12,
)
const revisions = uniqueBy(
  fc.record<RevisionRow>({
    ...shared,
    photo,
    number: fc.constantFrom(1, 2, 3, 10),
    caption: orNull(texts),
    editor: orNull(account),
    previous: orNull(fc.constantFrom(1, 2)),
  }),
  ({ photo: key, number }) => `${key} ${number}`,
  10,
)

/**
 * Rows with equal times, times that differ in microseconds, missing values, soft-deleted rows, rows of two tenants, and
 * keys that lead to no row.
 */
export const tableWorlds: Arbitrary<TableWorld> = fc.record({
  accounts,
  photos,
  comments,
  follows,
  teams,
  memberships,
  revisions,
})

/** Gives the rows to both tenants in turn. */
export const shareRows = (world: TableWorld): TableWorld => {
  const share = <T extends Shared>(rows: readonly T[]): readonly T[] =>
    rows.map((row, index) => ({ ...row, tenant: TENANTS[index % 2 === 0 ? 0 : 1] }))
  return {
    accounts: share(world.accounts),
    photos: share(world.photos),
    comments: share(world.comments),
    follows: share(world.follows),
    teams: share(world.teams),
    memberships: share(world.memberships),
    revisions: share(world.revisions),
  }
}
