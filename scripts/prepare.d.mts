export function prepare(options?: {
  dev?: boolean
  withTools?: boolean
  withClient?: boolean
  withPage?: boolean
}): void
