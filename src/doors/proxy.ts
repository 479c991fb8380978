// Requests of this process go by the machine's proxy, where its environment names one.
import http from 'node:http';

/** Reached without it: the local GitHub, and servers of one's own on this machine. */
const here = ['localhost', '.localhost', '127.0.0.1', '[::1]'];

/**
 * By HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in capitals or small letters; to be called before the first request. Before
 * Node 24.14 it has no effect. Answers what undoes it.
 */
export function useProxy(env: NodeJS.ProcessEnv): () => void {
  const named = (name: string) => env[name.toLowerCase()] || env[name.toUpperCase()];
  const [http_proxy, https_proxy] = [named('http_proxy'), named('https_proxy')];
  if (!(http_proxy || https_proxy) || !('setGlobalProxyFromEnv' in http)) return () => {};
  const no_proxy = [named('no_proxy') ?? [], here].flat().join(',');
  return http.setGlobalProxyFromEnv({ http_proxy, https_proxy, no_proxy });
}
