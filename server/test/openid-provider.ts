// A real OpenID Connect provider in the test process, in which the person of the test is signed in.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import type { OpenidSettings } from '../src/config.ts'

export interface Account {
  /** Default: the same for the same address. */
  sub?: string
  groups?: unknown
  email?: string
  email_verified?: boolean
  name?: string
}

export const openidClient = { clientId: 'rapport', clientSecret: 'a secret of the client' }

export interface OpenidProvider {
  issuer: string
  /** Who signs in next. Undefined: the person presses "Cancel". */
  person: Account | undefined
  /** The service must send the browser back to this address. */
  allow(page: string): void
  /** Whether the provider answers. */
  away: boolean
  /** Changes the response with the tokens before it is sent. */
  forge: ((tokens: { id_token: string }) => void) | undefined
  close(): Promise<void>
}

const signingKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

/** Listens on a port of its own. `inIdToken`: whether the claims are in the ID token already. */
export async function startOpenidProvider({ inIdToken = false } = {}): Promise<OpenidProvider> {
  const redirect_uris: string[] = []
  const accounts = new Map<string, Account>()
  let handle: ReturnType<Provider['callback']> | undefined
  const server: Server = createServer((request, response) => {
    if (self.away) return request.destroy()
    if (self.forge && request.url === '/token') forgeAnswer(response, self.forge)
    if (!request.url?.startsWith('/interaction/')) return handle?.(request, response)
    const id = self.person?.sub ?? `account of ${self.person?.email?.toLowerCase()}`
    if (self.person) accounts.set(id, self.person)
    const result = self.person ? { login: { accountId: id } } : { error: 'access_denied' }
    provider?.interactionFinished(request, response, result)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  let provider: Provider | undefined

  const self: OpenidProvider = {
    issuer: `http://127.0.0.1:${port}`,
    person: undefined,
    away: false,
    forge: undefined,
    allow(page) {
      redirect_uris.push(`${page}/session/openid/return`)
      provider = new Provider(self.issuer, {
        clients: [
          {
            client_id: openidClient.clientId,
            client_secret: openidClient.clientSecret,
            redirect_uris,
          },
        ],
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name', 'groups'],
        },
        conformIdTokenClaims: !inIdToken,
        cookies: { keys: ['a key of the test'] },
        jwks: { keys: [signingKey()] },
        ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
        features: { devInteractions: { enabled: false } },
        pkce: { required: () => true },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        findAccount: async (_context, id) => {
          const account = accounts.get(id)
          return account && { accountId: id, claims: async () => ({ sub: id, ...account }) }
        },
        async loadExistingGrant({ oidc }) {
          const { clientId } = oidc.client
          const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId })
          grant.addOIDCScope('openid email profile')
          await grant.save()
          return grant
        },
      })
      handle = provider.callback()
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return self
}

function forgeAnswer(response: ServerResponse, forge: NonNullable<OpenidProvider['forge']>): void {
  const end = response.end.bind(response)
  response.end = ((body: string) => {
    const tokens = JSON.parse(body)
    forge(tokens)
    const text = JSON.stringify(tokens)
    response.setHeader('Content-Length', Buffer.byteLength(text))
    return end(text)
  }) as never
}

/** The settings of a service with this provider. */
export function openidSettings(provider: OpenidProvider, more: Partial<OpenidSettings> = {}) {
  const openid: OpenidSettings = {
    ...{ issuer: provider.issuer, ...openidClient, domains: [], role: 'read' },
    ...{ only: false, groupRoles: new Map(), groupsClaim: 'groups', ...more },
  }
  return { openid }
}
