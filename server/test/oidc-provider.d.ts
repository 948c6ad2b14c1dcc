// The part of oidc-provider that the tests use. The package has no types of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Context {
    oidc: {
      client: { clientId: string }
      session: { accountId: string }
      provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant }
    }
  }

  export default class Provider {
    constructor(
      issuer: string,
      options: {
        clients: object[]
        claims: Record<string, string[]>
        conformIdTokenClaims?: boolean
        cookies: { keys: string[] }
        jwks: { keys: object[] }
        ttl: Record<string, number>
        features: { devInteractions: { enabled: boolean } }
        pkce: { required(): boolean }
        interactions: { url(context: Context, interaction: { uid: string }): string }
        findAccount(
          context: Context,
          id: string,
        ): Promise<{ accountId: string; claims(): Promise<object> } | undefined>
        loadExistingGrant(context: Context): Promise<Grant>
      },
    )
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>
  }
}
