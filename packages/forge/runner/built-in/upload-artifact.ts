// actions/upload-artifact: files of the job as an artifact of its run.
import { findFiles, sourcesOf } from '../artifact-files.ts';
import { StepFailed, type StepRun } from '../step.ts';
import { flag, inputsOf } from './inputs.ts';

/** Bytes that an artifact may hold. */
const largest = 1024 ** 3;

export async function uploadArtifact(step: StepRun): Promise<void> {
  const inputs = inputsOf(step, {
    name: 'artifact',
    path: '',
    'if-no-files-found': 'warn',
    'retention-days': '0',
    'compression-level': '6',
    overwrite: 'false',
    'include-hidden-files': 'false',
  });
  if (inputs.path.trim() === '') throw new StepFailed('Input required and not supplied: path');
  const level = Number(inputs['compression-level']);
  if (!Number.isInteger(level) || level < 0 || level > 9)
    throw new StepFailed('Invalid compression-level. Valid values are 0-9');
  const { host, folders } = step.state;
  const overwrite = flag('overwrite', inputs.overwrite);
  const hidden = flag('include-hidden-files', inputs['include-hidden-files']);
  checkName(inputs.name);
  const found = await findFiles(inputs.path, { workspace: folders.workspace, hidden, within: folders.job });
  if (found.files.length === 0) return nothingFound(step, inputs);
  const { length } = found.files;
  step.write(`With the provided path, there will be ${length} file${length === 1 ? '' : 's'} uploaded`);
  const sources = sourcesOf(found, folders.job, largest);
  const days = Number(inputs['retention-days']) || 0;
  const artifact = await host.artifacts.add(inputs.name, sources, { overwrite, days, level });
  step.setOutput('artifact-id', String(artifact.id));
  step.setOutput('artifact-digest', artifact.digest.replace('sha256:', ''));
  const run = step.render(
    '${{ github.server_url }}/${{ github.repository }}/actions/runs/${{ github.run_id }}',
  );
  step.setOutput('artifact-url', `${run}/artifacts/${artifact.id}`);
  step.write(
    `Artifact ${artifact.name} has been successfully uploaded! Final size is ${artifact.size} bytes. Artifact ID is ${artifact.id}`,
  );
}

function nothingFound(step: StepRun, inputs: Record<'path' | 'if-no-files-found', string>) {
  const message = `No files were found with the provided path: ${inputs.path}. No artifacts will be uploaded.`;
  switch (inputs['if-no-files-found']) {
    case 'error':
      throw new StepFailed(message);
    case 'ignore':
      return step.write(message);
    default:
      return step.warn(message);
  }
}

function checkName(name: string): void {
  if (name === '' || /["<>|*?:\r\n\\/]/.test(name))
    throw new StepFailed(
      `The artifact name is not valid: ${name}. It may not be empty nor hold " : < > | * ? \\ / or a line end.`,
    );
}
