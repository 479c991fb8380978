// The variables that tell clients of a sandbox's network: where its proxy is, or that another try is of no use.
// A client that knows none of them fails at name resolution.

const proxy = 'http://127.0.0.1:{port}';
const direct = 'localhost,127.0.0.1,::1';

/** For all of Java, as Maven and Gradle start several virtual machines. */
const java = [
  ...['http', 'https'].flatMap(scheme => [`-D${scheme}.proxyHost=127.0.0.1`, `-D${scheme}.proxyPort={port}`]),
  '-Dhttp.nonProxyHosts=localhost|127.*|[::1]',
  // Maven's resolver otherwise reads settings.xml alone: https://maven.apache.org/resolver-1.x/configuration.html
  '-Daether.connector.http.useSystemProperties=true',
].join(' ');

/** `{port}` stands for the port on the sandbox's loopback. */
export const proxyEnv: Readonly<Record<string, string>> = {
  // curl reads the first one in lower case only: https://everything.curl.dev/usingcurl/proxies/env.html. npm, pnpm, pip,
  // uv, Poetry, Cargo, Go, Bundler and NuGet read these.
  http_proxy: proxy,
  https_proxy: proxy,
  no_proxy: direct,
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  NO_PROXY: direct,
  // fetch of Node: https://nodejs.org/api/cli.html#node_use_env_proxy1
  NODE_USE_ENV_PROXY: '1',
  // Yarn 2 and later: https://yarnpkg.com/configuration/yarnrc#httpProxy
  YARN_HTTP_PROXY: proxy,
  YARN_HTTPS_PROXY: proxy,
  JAVA_TOOL_OPTIONS: java,
};

/** Without any host, package managers fail at the first try instead of waiting for others: npm otherwise takes 75 s. */
export const noNetworkEnv: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: '0', // pnpm reads it too
  YARN_HTTP_RETRY: '0',
  PIP_RETRIES: '0',
  UV_HTTP_RETRIES: '0',
  CARGO_NET_RETRY: '0',
  BUNDLE_RETRY: '0',
};
