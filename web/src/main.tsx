import './base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { client } from './api/client.ts'
import { App } from './app/app.tsx'
import { applyTheme } from './frame/theme.ts'

applyTheme()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)

// What opens on a click is fetched while the page waits, so that the first click waits for nothing.
const soon = window.requestIdleCallback ?? setTimeout
soon(() => {
  void import('./ui/popover-panel.tsx')
  void import('./app/palette/palette.tsx')
  void import('./parts/lead/lead-panel.tsx')
  void import('./parts/filter/editor.tsx')
  void import('./parts/bulk/undo-last.ts')
})
