// The hosts that a command may reach.

/**
 * Host names, each optionally with `*.` before it, or with a port behind it (default: 80 and 443). `all`: every public
 * host. An empty list: no network.
 */
export type AllowedHosts = 'all' | readonly string[];
