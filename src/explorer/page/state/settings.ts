import { isRecord, type Json } from '../response/json.ts'

/** The settings of the page, from its server. */
export type PageSettings = {
  /** The absolute URL of the graph, without a slash at the end. */
  readonly graphUrl: string
  readonly demoToken: string | undefined
}

/** Reads the settings in the page. */
export const readPageSettings = (page: Document): PageSettings => {
  const settings: Json = JSON.parse(page.getElementById('settings')?.textContent ?? '{}')
  const { graphPath, demoToken } = isRecord(settings) ? settings : {}
  const url = new URL(typeof graphPath === 'string' && graphPath !== '' ? graphPath : '/', page.baseURI)
  return {
    graphUrl: `${url.origin}${url.pathname}`.replace(/\/$/, ''),
    demoToken: typeof demoToken === 'string' ? demoToken : undefined,
  }
}
