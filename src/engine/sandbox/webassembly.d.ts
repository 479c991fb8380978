// The part of WebAssembly's types that is used: Node's types lack them, and the DOM's would bring a whole browser.
declare namespace WebAssembly {
  class Module {
    private readonly compiled: never;
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array): Promise<Module>;
}
