/** The base URL of a Graph API, and a token for this API. */
export type GraphApi = { readonly baseUrl: string; readonly token: string }

/** A person and the day of their birthday, as `MM/DD`. */
export type Birthday = { readonly name: string; readonly day: string }

/** Reports that the token is no longer valid, so the person has to sign in again. */
export class SignInRequiredError extends Error {}

type Friend = { readonly name: string; readonly birthday?: string }
type FriendsPage = { readonly data: readonly Friend[]; readonly paging?: { readonly next?: string } }

const TOKEN_ERROR = 190
const RATE_LIMIT_CODES: readonly number[] = [4, 17]
const SECOND = 1000
const ATTEMPTS = 3

/** Reads one page. Retries a few times if the API rejects the request because of a rate limit. */
const readPage = async (url: string, attempts = ATTEMPTS): Promise<FriendsPage> => {
  const response = await fetch(url)
  const result = JSON.parse(await response.text())
  if (response.ok) return result
  const { code, message } = result.error
  if (code === TOKEN_ERROR) throw new SignInRequiredError(message)
  if (!RATE_LIMIT_CODES.includes(code) || attempts === 1) throw new Error(message)
  const wait = Number(response.headers.get('retry-after') ?? 1) * SECOND
  await new Promise(resolve => setTimeout(resolve, wait))
  return readPage(url, attempts - 1)
}

/**
 * Lists the friends of the token's viewer who share their birthdays, sorted by day of the year. This code
 * does not depend on kithgraph, and works with every Graph API.
 *
 * @throws SignInRequiredError if the token is no longer valid.
 */
export const listBirthdays = async ({ baseUrl, token }: GraphApi): Promise<Birthday[]> => {
  const birthdays: Birthday[] = []
  const query = new URLSearchParams({ fields: 'name,birthday', limit: '2', access_token: token })
  let url: string | undefined = `${baseUrl}/v1.0/me/friends?${query}`
  while (url !== undefined) {
    const page: FriendsPage = await readPage(url)
    for (const { name, birthday } of page.data) {
      // Some people share only the year of their birth.
      const [day] = /^\d\d\/\d\d/.exec(birthday ?? '') ?? []
      if (day !== undefined) birthdays.push({ name, day })
    }
    url = page.paging?.next
  }
  return birthdays.sort((a, b) => a.day.localeCompare(b.day))
}
