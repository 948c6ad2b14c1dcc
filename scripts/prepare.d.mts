export function prepare(options?: { dev?: boolean; withTools?: boolean }): void
