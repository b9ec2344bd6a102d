import { isRecord, type Json } from '../answer/json.ts'

/** What the page is told by those who serve it. */
export type Settings = {
  /** The absolute URL of the graph, without a slash at the end. */
  readonly graphUrl: string
  readonly demoToken: string | undefined
}

/** Reads the settings that stand in the page. */
export const readSettings = (page: Document): Settings => {
  const settings: Json = JSON.parse(page.getElementById('settings')?.textContent ?? '{}')
  const { graphPath, demoToken } = isRecord(settings) ? settings : {}
  const url = new URL(typeof graphPath === 'string' && graphPath !== '' ? graphPath : '/', page.baseURI)
  return {
    graphUrl: `${url.origin}${url.pathname}`.replace(/\/$/, ''),
    demoToken: typeof demoToken === 'string' ? demoToken : undefined,
  }
}
