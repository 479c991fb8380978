// The repositories of an App on GitHub: what the operator has chosen, with the App's credentials.
import { type Installations, openInstallations } from './installations.ts';
import type { OperatorOptions } from './open-repository.ts';
import { type AppCredentials, derivedKey, webOf } from './server-settings.ts';

/** `stateKeys`: of the record, where the operator has set some. */
export const openLiveApp = (
  options: OperatorOptions,
  data: string,
  { privateKey, secret, baseUrl }: AppCredentials,
  stateKeys: readonly Uint8Array[],
): Installations =>
  openInstallations({
    ...options,
    secretsPresent: true,
    secrets: [...options.secrets, privateKey, secret, ...stateKeys.map(key => new TextDecoder().decode(key))],
    data,
    keys: stateKeys.length > 0 ? stateKeys : [derivedKey(privateKey)],
    web: webOf(baseUrl),
  });
