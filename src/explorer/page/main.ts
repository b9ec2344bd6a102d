import { h, render } from 'preact'
import { createExplorerState, readPageSettings } from './state/explorer-state.ts'
import './style/style.css'
import { App } from './view/app.tsx'

const host = document.getElementById('app')
if (host !== null) render(h(App, { state: createExplorerState(document, readPageSettings(document)) }), host)
