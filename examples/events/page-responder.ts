import { bundlePage } from '../shared/bundle-page.ts'

const HTML = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Groups</title>
  <link rel="icon" href="data:,">
  <style>button { margin-left: 0.5em } [aria-pressed=true] { font-weight: bold }</style>
  <div id="root"></div>
  <script type="module" src="/page.js"></script>
</html>`

/** Creates a function that returns the page and its script, and `undefined` for any other path. */
export const createPageResponder = () => {
  let bundling: Promise<string> | undefined
  return async (path: string): Promise<Response | undefined> => {
    if (path === '/') return new Response(HTML, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
    if (path !== '/page.js') return undefined
    bundling ??= bundlePage(new URL('page/main.tsx', import.meta.url))
    return new Response(await bundling, { headers: { 'Content-Type': 'text/javascript' } })
  }
}
