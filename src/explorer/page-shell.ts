import type { ExplorerSettings } from './explorer-options.ts'
import { pageBundle } from './page-bundle.ts'

/** The names under which the app is served: another for every content. */
export const SCRIPT_NAME = `app-${pageBundle.script.hash}.js`
export const STYLE_NAME = `app-${pageBundle.style.hash}.css`

/** Nodes and edges, as a browser shows it in a tab. In the page itself, since a path of its own would be looked for elsewhere. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g stroke="#4169e1" stroke-width="3"><path d="M8 9 24 7 18 25Z" fill="none"/></g><g fill="#4169e1"><circle cx="8" cy="9" r="5"/><circle cx="24" cy="7" r="4"/><circle cx="18" cy="25" r="5"/></g></svg>',
)}`

/** JSON that ends no script: `<` stands nowhere in it. */
const embedded = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The page: what it is set to, and where its app is, relative to itself. */
export const pageShell = ({ graphPath, demoToken }: ExplorerSettings): string => `\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Graph Explorer</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="./${STYLE_NAME}">
<script type="application/json" id="settings">${embedded({ graphPath, demoToken })}</script>
<script type="module" src="./${SCRIPT_NAME}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The Explorer needs JavaScript. The graph itself does not.</noscript>
</body>
</html>
`
