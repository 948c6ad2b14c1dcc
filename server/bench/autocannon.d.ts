// Types for the part of autocannon that is used here. The package has none.
declare module 'autocannon' {
  interface Request {
    method: string
    path: string
    headers: Record<string, string>
    body?: string
    setupRequest?(request: Request): Request
  }
  interface Options {
    url: string
    connections: number
    duration: number
    requests: Request[]
    timeout?: number
  }
  interface Result {
    requests: { total: number }
    /** In seconds. */
    duration: number
    errors: number
    timeouts: number
    non2xx: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
