export function prepare(options?: { dev?: boolean; withTools?: boolean; withPage?: boolean }): void
