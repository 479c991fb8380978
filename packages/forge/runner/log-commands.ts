// Workflow commands in the output of a step: `::error::text`, and the older `##[error]text`. Their places are left out.

/** Effects of a step's commands. */
interface CommandEffects {
  /** A line of the log. */
  write(line: string): void;
  addMask(value: string): void;
  setOutput(name: string, value: string): void;
  saveState(name: string, value: string): void;
  /** Fails the step, with a sentence for its log. */
  fail(message: string): void;
}

interface Command {
  /** In small letters. */
  name: string;
  properties: Record<string, string>;
  data: string;
}

/** Matchers of problems and the echo of commands change nothing that the forge keeps. */
const known = new Set([
  ...['add-mask', 'add-matcher', 'add-path', 'debug', 'echo', 'endgroup', 'error', 'group', 'notice'],
  ...['remove-matcher', 'save-state', 'set-env', 'set-output', 'stop-commands', 'warning'],
]);

/** A reader of one step's lines, of which each goes to the log or is a command. */
export function commandReader(effects: CommandEffects): (line: string) => void {
  /** Token that resumes commands, while they are stopped. */
  let token: string | undefined;
  return line => {
    const names = token === undefined ? known : new Set([...known, token]);
    const command = line.includes('::') || line.includes('##[') ? readCommand(line, names) : undefined;
    if (!command) return effects.write(line);
    if (token !== undefined) {
      if (command.name === token.toLowerCase()) token = undefined;
      return effects.write(line);
    }
    if (command.name !== 'stop-commands') return perform(command, effects);
    if (known.has(command.data.toLowerCase()) || ['', 'pause-logging'].includes(command.data))
      return effects.fail(
        `You cannot stop commands with the token '${command.data}': it has to be one that nobody else knows.`,
      );
    token = command.data;
    // As GitHub does: who reads the log may not learn how commands are resumed.
    if (token.length > 6) effects.addMask(token);
    return effects.write(line);
  };
}

function perform({ name, properties, data }: Command, effects: CommandEffects) {
  switch (name) {
    case 'add-mask':
      if (data.trim() === '') return effects.write("##[warning]Can't add secret mask for empty string");
      return effects.addMask(data);
    case 'error':
    case 'warning':
    case 'notice':
    case 'group':
    case 'debug':
      return effects.write(`##[${name}]${data}`);
    case 'endgroup':
      return effects.write('##[endgroup]');
    case 'set-output':
    case 'save-state': {
      if (!properties['name']) return effects.fail(`The command ${name} needs a name.`);
      return name === 'set-output'
        ? effects.setOutput(properties['name'], data)
        : effects.saveState(properties['name'], data);
    }
    case 'set-env':
    case 'add-path':
      return effects.fail(`The command ${name} is disabled: write to GITHUB_ENV or GITHUB_PATH instead.`);
  }
}

/** The command that a line is; undefined for any other line. */
function readCommand(line: string, names: ReadonlySet<string>): Command | undefined {
  const newer = /^\s*::([^\s:]*)(?:\s((?:(?!::).)*))?::(.*)$/s.exec(line);
  const older = newer ? null : /##\[([^\s\]]*)(?:\s([^\]]*))?\](.*)$/s.exec(line);
  const [, written = '', properties = '', data = ''] = newer ?? older ?? [];
  const name = written.toLowerCase();
  if (name === '' || ![...names].some(each => each.toLowerCase() === name)) return undefined;
  const read: Record<string, string> = {};
  for (const pair of properties.split(newer ? ',' : ';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && equals < pair.length - 1)
      read[pair.slice(0, equals).trim().toLowerCase()] = decode(
        pair.slice(equals + 1),
        newer ? propertySigns : oldSigns,
      );
  }
  return { name, properties: read, data: decode(data, newer ? dataSigns : oldSigns) };
}

const dataSigns: [code: string, sign: string][] = [
  ['%0D', '\r'],
  ['%0A', '\n'],
];
const propertySigns: typeof dataSigns = [...dataSigns, ['%3A', ':'], ['%2C', ',']];
const oldSigns: typeof dataSigns = [...dataSigns, ['%3B', ';'], ['%5D', ']']];

const decode = (text: string, signs: typeof dataSigns): string =>
  [...signs, ['%25', '%'] as const].reduce((part, [code, sign]) => part.replaceAll(code, sign), text);
