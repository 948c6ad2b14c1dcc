import type { Page } from 'playwright-core'

/** The requests of the page without a response yet, beside the stream of events, which never ends. */
export function requestsOf(page: Page): Set<unknown> {
  const waiting = new Set<unknown>()
  page.on('request', (request) => {
    if (!request.url().includes('/events/stream')) waiting.add(request)
  })
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  return waiting
}
