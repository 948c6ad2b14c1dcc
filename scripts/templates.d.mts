export function templates(image?: string): Record<string, string>
