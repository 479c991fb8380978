// Handlers that a program called in the process of the tests leaves behind on it.

/** Takes away the handlers of signals and of the end that `work` adds to the process. */
export async function withoutListeners<T>(work: () => Promise<T>): Promise<T> {
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'];
  const before = names.map(name => new Set(process.rawListeners(name)));
  try {
    return await work();
  } finally {
    for (const [at, name] of names.entries())
      for (const each of process.rawListeners(name))
        if (!before[at]?.has(each)) process.off(name, each as () => void);
  }
}
