import type { ExplorerSettings } from './explorer-options.ts'
import { pageBundle } from './page-bundle.ts'

/** Content that is stored compressed. Clients that accept gzip receive it compressed. */
class CompressedAsset {
  readonly #base64: string
  #bytes: Uint8Array<ArrayBuffer> | undefined

  /** @param base64 The content, compressed with gzip. */
  constructor(base64: string) {
    this.#base64 = base64
  }

  /** The content, compressed with gzip. */
  get compressed(): Uint8Array<ArrayBuffer> {
    this.#bytes ??= Uint8Array.from(atob(this.#base64), character => character.charCodeAt(0))
    return this.#bytes
  }

  /** The uncompressed content. */
  get plain(): ReadableStream {
    return new Blob([this.compressed]).stream().pipeThrough(new DecompressionStream('gzip'))
  }
}

/** Whether a client accepts gzip, according to its header `Accept-Encoding`. */
export const acceptsGzip = (acceptEncoding: string | null): boolean => {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map(coding => {
      const [name = '', ...parameters] = coding.split(';').map(part => part.trim().toLowerCase())
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      return [name, weight?.slice('q='.length) ?? '1'] as const
    }),
  )
  return Number(weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

/** The file names of the app. They change with its content. */
const SCRIPT_NAME = `app-${pageBundle.script.hash}.js`
const STYLE_NAME = `app-${pageBundle.style.hash}.css`

/** The icon of the page: nodes and edges. It is inline, because the mount path is unknown. */
const ICON_URL = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g stroke="#4169e1" stroke-width="3"><path d="M8 9 24 7 18 25Z" fill="none"/></g><g fill="#4169e1"><circle cx="8" cy="9" r="5"/><circle cx="24" cy="7" r="4"/><circle cx="18" cy="25" r="5"/></g></svg>',
)}`

/** Formats a value as JSON without `<`, so that the text cannot end a script element. */
const toInlineJson = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/**
 * Renders the page with its settings. The links to the script and the style sheet are relative to the page.
 */
export const renderPageShell = (
  { graphPath, demoToken, viewers, initialFields }: ExplorerSettings,
  hasCollections: boolean,
): string => `\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Graph Explorer</title>
<link rel="icon" href="${ICON_URL}">
<link rel="stylesheet" href="./${STYLE_NAME}">
<script type="application/json" id="settings">${toInlineJson({ graphPath, demoToken, viewers, initialFields, ...(hasCollections && { hasCollections }) })}</script>
<script type="module" src="./${SCRIPT_NAME}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The Explorer requires JavaScript.</noscript>
</body>
</html>
`

/** The parts that differ between responses. */
export type ResponseParts = {
  readonly status?: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream | null
}

const IMMUTABLE_CACHE_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Creates the handlers of the assets in the package, by the last part of their path. */
export const createAssetHandlers = (): ReadonlyMap<string, (request: Request) => ResponseParts> => {
  const { script, style, notices } = pageBundle
  const createAssetHandler = (
    base64: string,
    type: string,
    cacheHeaders: { readonly [name: string]: string } = {},
  ) => {
    const asset = new CompressedAsset(base64)
    const headers = { 'Content-Type': `${type}; charset=UTF-8`, Vary: 'Accept-Encoding', ...cacheHeaders }
    return (request: Request): ResponseParts =>
      acceptsGzip(request.headers.get('accept-encoding'))
        ? { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: asset.compressed }
        : { headers, body: asset.plain }
  }
  return new Map([
    [SCRIPT_NAME, createAssetHandler(script.gzip, 'text/javascript', IMMUTABLE_CACHE_HEADERS)],
    [STYLE_NAME, createAssetHandler(style.gzip, 'text/css', IMMUTABLE_CACHE_HEADERS)],
    ['notices.txt', createAssetHandler(notices.gzip, 'text/plain')],
  ])
}
