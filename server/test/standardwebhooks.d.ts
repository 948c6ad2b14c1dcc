// The part of standardwebhooks that the tests use.
declare module 'standardwebhooks' {
  export class Webhook {
    constructor(secret: string)
    verify(body: string, headers: Record<string, string>): unknown
  }
}
