// The canonical form: it means what the source means, keeps its comments, and is the same when it is formatted again.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import fc from '../../properties.ts';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { printTask } from '../../../src/engine/language/print.ts';
import { formatProgram, parseProgram } from '../../../src/engine/language/program.ts';
import { choices, librarySources, randomProgram } from './random-programs.ts';

const { library } = createLibrary(librarySources);
const formatted = (source: string): string => {
  const { text, problems } = formatProgram(source, 'p.xml');
  if (text === undefined) throw new Error(JSON.stringify(problems));
  return text;
};

test('a random program means the same, and formatted again is the same', () => {
  fc.assert(
    fc.property(choices, choose => {
      const source = randomProgram(choose);
      const text = formatted(source);
      const read = (each: string) => {
        const { program } = parseProgram(each, 'p.xml', library);
        return program && printTask(program);
      };
      expect(read(text)).toBe(read(source));
      expect(read(text)).toBeDefined();
      expect(formatted(text)).toBe(text);
    }),
    { numRuns: 200 },
  );
});

describe('source', () => {
  test.each([
    [
      'a task on one line',
      '<task><description>x</description></task>',
      '<task>\n  <description>x</description>\n</task>\n',
    ],
    [
      'comments stand where they stood',
      '<!-- one --><task><!-- two --><description><!-- three -->x</description><!-- four\n five --></task>',
      '<!-- one -->\n<task>\n  <!-- two -->\n  <!-- three -->\n  <description>x</description>\n  <!--\n    four\n    five\n  -->\n</task>\n',
    ],
    [
      'a comment behind the root stands at its end',
      '<task><description>x</description></task><!-- end\n\n   of it -->',
      '<task>\n  <description>x</description>\n  <!--\n    end\n\n    of it\n  -->\n</task>\n',
    ],
    [
      'a comment behind an element on its line tells of that',
      '<task>\n<description>x</description> <!-- of x -->\n<inputs> <!-- of y -->\n<input name="y"/><!-- y --><input name="z"/>\n</inputs> <!-- model --><model>m</model></task> <!-- end -->',
      '<task>\n  <!-- of x -->\n  <description>x</description>\n  <inputs>\n    <!-- of y -->\n    <input name="y"/>\n    <!-- y -->\n    <input name="z"/>\n  </inputs>\n  <!-- model -->\n  <model>m</model>\n  <!-- end -->\n</task>\n',
    ],
    [
      'comments of what is left out of shorthand',
      '<!-- 0 --><task type="sequential"><!-- 1 --><name>n<!-- 2 --></name><!-- 3 --><step><!-- 4 --><task><description>x</description></task><!-- 5 --></step><!-- 6 --><step><!-- 7 --><description>y</description><!-- 8 --></step></task>',
      '<!-- 0 -->\n<!-- 1 -->\n<!-- 2 -->\n<task type="sequential" name="n">\n  <steps>\n    <!-- 3 -->\n    <!-- 4 -->\n    <task>\n      <description>x</description>\n      <!-- 5 -->\n    </task>\n    <!-- 6 -->\n    <task>\n      <!-- 7 -->\n      <description>y</description>\n      <!-- 8 -->\n    </task>\n  </steps>\n</task>\n',
    ],
    [
      'shorthand is written out',
      '<cond><case test="rounds == 1"><description>x</description></case></cond>',
      '<task type="cond">\n  <case test="rounds == 1">\n    <task>\n      <description>x</description>\n    </task>\n  </case>\n</task>\n',
    ],
    [
      'what a ref takes is not written out, and a name stands first',
      "<task ref='greet'   name='a'><inputs><input from='b' name='x'/></inputs></task>",
      '<task name="a" ref="greet">\n  <inputs>\n    <input name="x" from="b"/>\n  </inputs>\n</task>\n',
    ],
    [
      'text keeps its lines and what it escapes',
      '<task>\r\n<description>\r\n    a &lt; b\r\n\r\n      &amp;c\r\n</description></task>',
      '<task>\n  <description><![CDATA[\n    a < b\n\n      &c\n  ]]></description>\n</task>\n',
    ],
  ])('%s', (_name, source, expected) => {
    expect(formatted(source)).toBe(expected);
    expect(formatted(expected)).toBe(expected);
  });

  test('that is no XML is left alone, with its problems', () => {
    expect(formatProgram('<task>\n<description>x</task>', 'p.xml').problems).toMatchObject([
      { line: 2, message: expect.stringContaining('<description> is not closed') },
    ]);
  });
});

test.each(globSync('prompts/**/*.xml').sort())('%s is in canonical form', file => {
  const source = readFileSync(file, 'utf8');
  expect(formatted(source)).toBe(source);
});
