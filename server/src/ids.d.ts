export declare function newId(now?: number): string
export declare function isId(value: unknown): value is string
