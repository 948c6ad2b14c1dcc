// A browser as the service sees it: it keeps cookies, and says that its requests come from our own page.

import type { LinkPurpose } from '@rapport/contract/sign-in'
import { makeLink } from '../src/access/links.ts'
import type { Answer, Service } from './harness.ts'

export interface Browser {
  /** By name, as the service has set them. */
  cookies: Map<string, string>
  /** Sends a request of the page, below the root: /rest/me, /session/list. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
}

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

export function openBrowser(app: Service): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async call(method, path, body, headers = {}) {
      const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await app.request(path, {
        method,
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          'User-Agent': firefox,
          ...(jar && { Cookie: jar }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      for (const text of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
        if (/; Max-Age=0(;|$)/.test(text)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
  }
}

/** The token of a new link. */
export async function linkTo(
  app: Service,
  member: { id_space: string; id: string },
  purpose: LinkPurpose = 'sign_in',
): Promise<string> {
  const { path } = await makeLink(app.db, member, purpose, app.clock.now)
  return path.slice(path.indexOf('=') + 1)
}

/** A browser in which the member is signed in. */
export async function signedIn(
  app: Service,
  member: { id_space: string; id: string },
): Promise<Browser> {
  const browser = openBrowser(app)
  const { status } = await browser.call('POST', '/session/link', {
    token: await linkTo(app, member),
  })
  if (status !== 200) throw new Error(`Signing in failed with ${status}`)
  return browser
}
