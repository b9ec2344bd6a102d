import type { ExplorerSettings } from './explorer-options.ts'
import { pageBundle } from './page-bundle.ts'

/** The file names of the app, which change with its content. */
export const SCRIPT_NAME = `app-${pageBundle.script.hash}.js`
export const STYLE_NAME = `app-${pageBundle.style.hash}.css`

/** The icon of the page: nodes and edges. It is inline, since the mount path is unknown. */
const ICON_URL = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g stroke="#4169e1" stroke-width="3"><path d="M8 9 24 7 18 25Z" fill="none"/></g><g fill="#4169e1"><circle cx="8" cy="9" r="5"/><circle cx="24" cy="7" r="4"/><circle cx="18" cy="25" r="5"/></g></svg>',
)}`

/** JSON without `<`, so that it cannot end a script element. */
const toInlineJson = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** Renders the page with its settings. Links to the app are relative to the page. */
export const renderPageShell = ({ graphPath, demoToken }: ExplorerSettings): string => `\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Graph Explorer</title>
<link rel="icon" href="${ICON_URL}">
<link rel="stylesheet" href="./${STYLE_NAME}">
<script type="application/json" id="settings">${toInlineJson({ graphPath, demoToken })}</script>
<script type="module" src="./${SCRIPT_NAME}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The Explorer needs JavaScript. The graph itself does not.</noscript>
</body>
</html>
`
