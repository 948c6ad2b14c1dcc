// The way of a browser to the OpenID Connect provider and back.
import type { Browser } from './browser.ts'

/** Follows the redirects at the provider, as a browser does. Returns the address that leads back. */
export async function atProvider(start: string): Promise<string> {
  const cookies = new Map<string, string>()
  let address = start
  for (let step = 0; step < 10; step++) {
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(address, { redirect: 'manual', headers: { Cookie: jar } })
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    if (!next) throw new Error(`The provider stopped with ${answer.status}: ${await answer.text()}`)
    address = new URL(next, address).href
    if (address.includes('/session/openid/return')) return address
  }
  throw new Error('The provider does not lead back')
}

export const pathOf = (address: string) => address.slice(new URL(address).origin.length)
/** A browser sends these with a link, and with the way back from another site. */
export const here = { 'Sec-Fetch-Site': 'same-origin' }
export const fromProvider = { 'Sec-Fetch-Site': 'cross-site' }

/** Leaves for the provider. Returns the address there. */
export async function begin(
  browser: Browser,
  query = '',
  from: Record<string, string> = here,
): Promise<string | null> {
  const { headers } = await browser.call('GET', `/session/openid${query}`, undefined, from)
  return headers.get('location')
}

/** Signs in at the provider. Returns where the service leads the browser then. */
export async function signIn(
  browser: Browser,
  query = '',
  from: Record<string, string> = here,
): Promise<string | null> {
  const back = await atProvider((await begin(browser, query, from)) ?? '')
  const { status, headers } = await browser.call('GET', pathOf(back), undefined, fromProvider)
  if (status !== 302) throw new Error(`The way back ended with ${status}`)
  return headers.get('location')
}
