// A real OpenID Connect provider in the test process, in which the person of the test is signed in.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import Provider from 'oidc-provider'

export interface Account {
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
    if (!request.url?.startsWith('/interaction/')) return handle?.(request, response)
    const id = `account ${accounts.size}`
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
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
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
