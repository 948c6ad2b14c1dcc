/** A wrong setting. The message is one line for the person who set it. */
export class ConfigError extends Error {}
