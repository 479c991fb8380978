// Findings of `echelon doctor --app`: the App's permissions and events, its installation, failed webhook deliveries.
import { bubblewrapFault } from '@echelon/ground/workspace';
import type { appSetUpOf, Grants } from '../../../app/set-up.ts';
import { appManifest } from '../../app/registration.ts';
import { type Finding, finding, lacking, missing, unknown } from '../../finding.ts';

/** `id`: of the App's installation on the repository, where it has one. */
export async function appFindings(
  setUp: ReturnType<typeof appSetUpOf>,
): Promise<{ found: Finding[]; installation: number | undefined }> {
  const app = await setUp.app();
  if (typeof app !== 'object')
    return {
      found: [missing('App', 'GitHub does not know it: look at APP_ID and PRIVATE_KEY')],
      installation: undefined,
    };
  const installed = await setUp.installation();
  const found = [held('App', app, 'in the settings of the App')];
  if (typeof installed !== 'object')
    found.push(
      missing('installation', 'it is not installed on this repository', `${app.page}/installations/new`),
    );
  else found.push(held('installation', installed, `its owner accepts them at ${installed.page}`));
  found.push(await deliveries(setUp));
  return { found, installation: typeof installed === 'object' ? installed.id : undefined };
}

/** Holds what is granted against app.yml. */
function held(what: string, { permissions, events }: Grants, where: string): Finding {
  const { default_permissions, default_events } = appManifest();
  const lacks = [
    ...lacking(default_permissions, permissions),
    ...default_events.filter(event => !events.includes(event)).map(event => `the event ${event}`),
  ];
  return finding(
    what,
    'permissions and events as in app.yml',
    lacks.length > 0 ? `add ${lacks.join(', ')}: ${where}` : undefined,
  );
}

async function deliveries(setUp: ReturnType<typeof appSetUpOf>): Promise<Finding> {
  const what = 'webhook deliveries';
  const failed = await setUp.failedDeliveries();
  if (!Array.isArray(failed)) return unknown(what, 'GitHub shows none to this App');
  const [last] = failed;
  return finding(
    what,
    'none of the newest failed',
    last &&
      `${failed.length} of the newest failed, last ${last.event} at ${last.at}: ${last.status}. See that the server runs and ` +
        "answers at the App's webhook URL with the same WEBHOOK_SECRET; what was missed is made up for when it runs",
  );
}

export async function isolationFinding(): Promise<Finding> {
  return finding('isolation on this machine', 'bubblewrap works', await bubblewrapFault());
}
