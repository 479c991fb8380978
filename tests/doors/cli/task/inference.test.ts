// `task run` against a real inference server with a small open model: what is proven is the wire, not the model's wit.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openaiModel } from '../../../../src/engine/models/openai.ts';
import type { ModelEvent } from '../../../../src/engine/models/model.ts';
import { ModelRow } from '../../../../src/engine/models/table.ts';
import { request } from '../../../engine/models/request.ts';
import { realInference, serveModel } from '../../../real-inference.ts';
import { endAll, runCli } from '../run-cli.ts';
import { taskFolder } from './fixture.ts';

const found = realInference();
const unless = 'skipped' in found ? ` (skipped: ${found.skipped})` : '';
const patience = { timeout: 120_000 };

const name = 'openai/smollm2';
const row = {
  ...{ provider: 'openai', window: 4096, output: 100, schema: true },
  price: { input: 1, output: 2, cache_read: 1, cache_write: 1 },
};
const configuration = JSON.stringify({ models: { default: name, [name]: row } });

describe.skipIf('skipped' in found)(`a real inference server${unless}`, () => {
  let server: Awaited<ReturnType<typeof serveModel>>;
  beforeAll(async () => {
    if ('skipped' in found) return;
    server = await serveModel(found);
    return () => server[Symbol.asyncDispose]();
  });
  afterEach(endAll);

  async function ran(program: string) {
    using folder = await taskFolder({
      'p.xml': program,
      'notes.txt': 'Milk, eggs, bread.\n',
      '.github/echelon.yml': configuration,
    });
    const env = { OPENAI_BASE_URL: server.url };
    return await runCli(['task', 'run', 'p.xml', '--json', '--debug'], { cwd: folder.path, env });
  }

  test('holds a typed output to its schema', patience, async () => {
    const { code, stdout, stderr } = await ran(
      `<task name="judge"><description>Is the sky blue? Say why in a few words.</description><temperature>0</temperature>
      <output name="yes" type="boolean"/><output name="colour" type="json" schema='{"enum": ["red", "blue"]}'/></task>`,
    );
    expect(code, stderr).toBe(0);
    const { status, outputs, notes } = JSON.parse(stdout);
    expect([status, typeof outputs.yes, ['red', 'blue'].includes(outputs.colour)]).toEqual([
      ...['COMPLETE', 'boolean', true],
    ]);
    const { input_tokens, output_tokens } = notes.dataUsage.usage;
    expect(notes.dataUsage.cost_usd).toBeCloseTo((input_tokens + 2 * output_tokens) / 1e6, 9);
  });

  test('calls a tool, and takes its result', patience, async () => {
    const { stdout, stderr } = await ran(
      `<task name="look"><description>Read the file notes.txt with the tool read_file and say what is in it.</description>
      <temperature>0</temperature><tools>read_file</tools><limits><turns>2</turns></limits>
      <disable_reparsing>true</disable_reparsing></task>`,
    );
    expect(stderr).toMatch(/^event tool_call .*"name":"read_file","ok":true/m);
    // The server took the conversation with the call and its result; whether the model has understood is its own affair.
    expect(stderr).toMatch(/^event model_reply .*"turn":2,/m);
    expect(stdout).not.toContain('model_failure');
  });

  test('streams a reply in pieces, and says when it cut it off', patience, async () => {
    const model = openaiModel({
      apiKey: '',
      baseUrl: server.url,
      rows: { [name]: ModelRow.parse(row) },
    });
    const events: ModelEvent[] = [];
    const reply = await model.call(request({ model: name, max_output_tokens: 8 }), event =>
      events.push(event),
    );
    const pieces = events.flatMap(event => (event.type === 'text' ? [event.text] : []));
    expect(pieces.length).toBeGreaterThan(1);
    expect([pieces.join(''), reply.stop, reply.usage.output_tokens]).toEqual([reply.text, 'max_output', 8]);
  });
});
