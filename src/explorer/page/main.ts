import { h, render } from 'preact'
import { createExplorerState } from './state/explorer-state.ts'
import { readPageSettings } from './state/settings.ts'
import './style/style.css'
import { App } from './view/app.tsx'

const host = document.getElementById('app')
if (host !== null) render(h(App, { state: createExplorerState(document, readPageSettings(document)) }), host)
