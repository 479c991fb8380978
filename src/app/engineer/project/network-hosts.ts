// Hosts that the commands of a job may reach: those of the configuration, and of the base's package managers.
import { type AllowedHosts, git } from '@echelon/ground/workspace';
import type { Network } from '../../config/values.ts';
import { registriesOf } from './guess-setup.ts';

interface Place {
  network: Network;
  mirror: string;
  /** The commit whose lock files name the package managers: the run's base, which no model wrote. */
  base: string;
}

/** For tests and engineers' commands. */
export async function hostsOf(place: Place): Promise<AllowedHosts> {
  const { network } = place;
  if (network === 'none') return [];
  return network === 'registries' ? await registriesAt(place) : network;
}

/** For the setup: the registries, whatever the configuration says, and what it adds. */
export async function setupHosts(place: Place): Promise<AllowedHosts> {
  const { network } = place;
  if (network === 'all') return network;
  const added = typeof network === 'string' ? [] : network;
  return [...new Set([...(await registriesAt(place)), ...added])].sort();
}

async function registriesAt({ mirror, base }: Place): Promise<string[]> {
  const listed = await git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', base], { gitDir: mirror });
  return registriesOf(listed.split('\0').filter(Boolean));
}
