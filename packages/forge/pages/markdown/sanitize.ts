// HTML that an author may write: the elements that GitHub lets through, without anything that runs, loads or imitates.
import sanitizeHtml, { type Attributes } from 'sanitize-html';

// https://github.com/github/markup#github-markup, step 2, and the sanitization filter that it names.
const elements =
  `h1 h2 h3 h4 h5 h6 br b i strong em a pre code img tt div ins del sup sub p picture ol ul table thead
tbody tfoot blockquote dl dt dd kbd q samp var hr ruby rt rp li tr td th s strike summary details caption figure
figcaption abbr bdo cite dfn mark small span time wbr section input`.split(/\s+/);

const rel = 'nofollow noopener noreferrer';

/** GitHub's prefix: an id of the author's is none of the page's. */
const own = (id: string) => (id.startsWith('user-content-') ? id : `user-content-${id}`);

function marked(
  tagName: string,
  { id, name, ...others }: Attributes,
): { tagName: string; attribs: Attributes } {
  return { tagName, attribs: { ...others, ...(id && { id: own(id) }), ...(name && { name: own(name) }) } };
}

/** Well-formed, whatever was given. `resolve`: where an address leads that stands in the text. */
export const sanitized = (html: string, resolve = (address: string): string => address): string =>
  sanitizeHtml(html, {
    allowedTags: elements,
    allowedAttributes: {
      '*': ['align', 'dir', 'id', 'lang', 'title'],
      a: ['href', 'name', 'rel', 'aria-label'],
      details: ['open'],
      input: ['type', 'checked', 'disabled', 'aria-label'],
      ol: ['start'],
      td: ['colspan', 'rowspan', 'data-label'],
      th: ['colspan', 'rowspan', 'scope'],
      time: ['datetime'],
    },
    allowedClasses: {
      code: ['language-*'],
      div: ['markdown-alert', 'markdown-alert-*'],
      li: ['task-list-item', 'footnote-item'],
      p: ['markdown-alert-title'],
      section: ['footnotes'],
      span: ['k-*'],
      ul: ['contains-task-list'],
      a: ['footnote-backref', 'issue-*'],
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    // As HTML says: what stands in them is dropped with them.
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'noscript',
      'title',
      'template',
      'iframe',
      'xmp',
      'svg',
      'math',
    ],
    transformTags: {
      '*': marked,
      a: (tagName, attributes) => {
        const { attribs } = marked(tagName, attributes);
        const href = attribs['href']?.startsWith('#')
          ? `#${own(attribs['href'].slice(1))}`
          : attribs['href'] && resolve(attribs['href']);
        return { tagName, attribs: { ...attribs, rel, ...(href && { href }) } };
      },
      // A page loads nothing from elsewhere: an image becomes a link to it.
      img: (_tagName, { src = '', alt = '' }) => ({
        tagName: 'a',
        attribs: { href: resolve(src), rel },
        text: alt.trim() || 'image',
      }),
      input: (tagName, { class: of, checked }) => ({
        tagName,
        attribs:
          of === 'task-list-item-checkbox'
            ? {
                type: 'checkbox',
                disabled: '',
                'aria-label': checked === undefined ? 'To do' : 'Done',
                ...(checked !== undefined && { checked: '' }),
              }
            : {},
      }),
    },
    // Task lists are all that has one.
    exclusiveFilter: ({ tag, attribs }) => tag === 'input' && attribs['type'] !== 'checkbox',
  });
