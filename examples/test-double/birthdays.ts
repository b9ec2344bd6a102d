/** Where a Graph API is, and who asks it. */
export type GraphApi = { readonly baseUrl: string; readonly token: string }

/** Somebody whose birthday is known. */
export type Birthday = { readonly name: string; readonly day: string }

/** Says that the person has to sign in again: their token is no longer good. */
export class SignInAgain extends Error {}

type Friend = { readonly name: string; readonly birthday?: string }
type FriendsPage = { readonly data: readonly Friend[]; readonly paging?: { readonly next?: string } }

const TOKEN_FAULT = 190
const LIMITS: readonly number[] = [4, 17]
const SECOND = 1000
const ATTEMPTS = 3

/** Reads one page. Whoever is told to come back later does so, a few times. */
const readPage = async (url: string, attempts = ATTEMPTS): Promise<FriendsPage> => {
  const response = await fetch(url)
  const answer = JSON.parse(await response.text())
  if (response.ok) return answer
  const { code, message } = answer.error
  if (code === TOKEN_FAULT) throw new SignInAgain(message)
  if (!LIMITS.includes(code) || attempts === 1) throw new Error(message)
  const wait = Number(response.headers.get('retry-after') ?? 1) * SECOND
  await new Promise(resolve => setTimeout(resolve, wait))
  return readPage(url, attempts - 1)
}

/**
 * The friends of whoever's token it is who have told their birthday, in the order of the year. It knows nothing of
 * kithgraph: any Graph API does.
 *
 * @throws SignInAgain where the token is no longer good.
 */
export const listBirthdays = async ({ baseUrl, token }: GraphApi): Promise<Birthday[]> => {
  const birthdays: Birthday[] = []
  const query = new URLSearchParams({ fields: 'name,birthday', limit: '2', access_token: token })
  let url: string | undefined = `${baseUrl}/v1.0/me/friends?${query}`
  while (url !== undefined) {
    const page: FriendsPage = await readPage(url)
    for (const { name, birthday } of page.data) {
      // Some tell the year alone.
      const [day] = /^\d\d\/\d\d/.exec(birthday ?? '') ?? []
      if (day !== undefined) birthdays.push({ name, day })
    }
    url = page.paging?.next
  }
  return birthdays.sort((a, b) => a.day.localeCompare(b.day))
}
