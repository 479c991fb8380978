// The table of tags itself.
import { expect, test } from 'vitest';
import { operations, tagNames } from '../../../../src/engine/reasoning/operations/table.ts';
import { scanTags } from '../../../../src/engine/reasoning/tags/scan.ts';
import { attributeNames, formOf, tagNamed } from '../../../../src/engine/reasoning/tags/forms.ts';

const example = { text: 'a', characters: '100' };

test.each(tagNames.filter(name => name !== 'vaultref'))(
  'each form of %s can be written as the table says',
  tag => {
    for (const form of operations[tag].forms) {
      const { presence, field } = form.body;
      const written = Object.entries(form.attributes)
        .filter(([name]) => name !== field)
        .map(
          ([name, { values }]) => ` ${name}="${typeof values === 'string' ? example[values] : values[0]}"`,
        );
      if (form.action !== undefined) written.push(` action="${form.action}"`);
      const opening = `{{<${tag}${written.join('')}`;
      const texts = [
        ...(presence === 'required' ? [] : [`${opening} />}}`]),
        ...(presence === 'none' ? [] : [`${opening}>}}a{{</${tag}>}}`]),
      ];
      for (const text of texts) {
        const { blocks, problems } = scanTags(text);
        expect(problems).toEqual([]);
        expect(blocks.map(each => formOf(each.tag, each.attributes))).toEqual([form]);
      }
    }
  },
);

test('the first form of each tag has no action, the others have one each', () => {
  for (const tag of tagNames) {
    const [first, ...others] = operations[tag].forms.map(form => form.action);
    expect(first).toBeUndefined();
    expect(new Set(others).size).toBe(others.length);
    expect(others).not.toContain(undefined);
    expect(attributeNames(tag).has('action')).toBe(others.length > 0);
  }
});

test('a name of an object is no tag', () => {
  expect(tagNamed('constructor')).toBeUndefined();
  expect(tagNamed('goal')).toBe('goal');
});
