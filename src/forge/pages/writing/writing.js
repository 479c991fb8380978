// In the browser: what can be completed is offered below the text that is being written, a preview needs no other page,
// and a form is sent once.
// Served behind the script that renews a page, in one file.
{
  /** Offered at a time. */
  const MOST = 20;
  /** Milliseconds in which a form is not sent again. */
  const SENT_MS = 2000;
  const status = document.getElementById('renewed');
  /** What stands before the caret, by the sign that begins it. */
  const signs = {
    '/': /^[ \t]*(\/[a-z-]*)$/i,
    '@': /(?:^|[\s(])(@[a-z\d-]*)$/i,
    '#': /(?:^|[\s(])(#[\p{L}\p{N}-]*)$/u,
  };
  const list = document.createElement('ul');
  list.id = 'completions';
  list.className = 'completions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Completions');

  let asked;
  /** The text being written while the list stands below it, with what is offered for which part of it. */
  let open;

  const known = () => {
    const [, owner, repository] = location.pathname.split('/');
    asked ??= fetch(`/-/completion/${owner}/${repository}`)
      .then(answer => (answer.ok ? answer.json() : {}))
      .catch(() => {
        // The forge is not there now: it is asked again.
        asked = undefined;
        return {};
      });
    return asked;
  };

  /** What has been begun where the caret stands. */
  const begun = field => {
    if (field.selectionStart !== field.selectionEnd) return undefined;
    const end = field.selectionEnd;
    const line = field.value.slice(field.value.lastIndexOf('\n', end - 1) + 1, end);
    for (const sign of field.dataset.complete) {
      const found = signs[sign].exec(line)?.[1];
      if (found !== undefined) return { sign, word: found, start: end - found.length, end };
    }
    return undefined;
  };

  const close = () => {
    if (!open) return;
    for (const name of ['aria-controls', 'aria-activedescendant']) open.field.removeAttribute(name);
    list.remove();
    open = undefined;
  };

  const choose = at => {
    open.at = at;
    for (const [index, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(index === at));
    open.field.setAttribute('aria-activedescendant', list.children[at].id);
    list.children[at].scrollIntoView({ block: 'nearest' });
  };

  const optionOf = ({ shown, more }, index) => {
    const option = document.createElement('li');
    option.id = `completion-${index}`;
    option.setAttribute('role', 'option');
    const name = document.createElement('b');
    name.textContent = shown;
    option.append(name, ` ${more}`);
    return option;
  };

  const fits = (word, { text, more }) => {
    const typed = word.toLowerCase();
    if (text.toLowerCase().startsWith(typed)) return true;
    // A title is found by the beginning of any of its words.
    const words = typed.startsWith('#') && typed !== '#' ? more.toLowerCase().split(/[^\p{L}\p{N}]+/u) : [];
    return words.some(each => each.startsWith(typed.slice(1)));
  };

  const offer = async field => {
    const now = begun(field);
    if (!now) return close();
    const all = (await known())[now.sign] ?? [];
    // Meanwhile one may have typed on, or gone elsewhere.
    if (document.activeElement !== field || begun(field)?.word !== now.word) return;
    const offered = all.filter(each => fits(now.word, each)).slice(0, MOST);
    if (offered.length === 0 || offered[0].shown === now.word) return close();
    const wasOpen = open !== undefined;
    open = { ...now, field, offered, at: 0 };
    list.replaceChildren(...offered.map(optionOf));
    field.after(list);
    if (!wasOpen) list.scrollIntoView({ block: 'nearest' });
    field.setAttribute('aria-controls', list.id);
    choose(0);
    const many = offered.length === 1 ? '1 completion' : `${offered.length} completions`;
    status.textContent = `${many}, the first is ${offered[0].shown}`;
  };

  const take = ({ text }) => {
    const { field, start, end } = open;
    close();
    field.setRangeText(`${text} `, start, end, 'end');
    field.focus();
    // For whoever listens: the text has changed. What was chosen is not offered again.
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };

  const isWritten = target => target instanceof HTMLTextAreaElement && target.dataset.complete !== undefined;

  document.addEventListener('input', ({ target }) => {
    if (!isWritten(target)) return;
    target.setAttribute('aria-autocomplete', 'list');
    target.setAttribute('aria-haspopup', 'listbox');
    void offer(target);
  });
  document.addEventListener('focusout', close);
  document.addEventListener('keydown', event => {
    if (!open || event.target !== open.field || event.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { at, offered } = open;
    const keys = {
      ArrowDown: () => choose((at + 1) % offered.length),
      ArrowUp: () => choose((at + offered.length - 1) % offered.length),
      Enter: () => take(offered[at]),
      Tab: () => take(offered[at]),
      Escape: close,
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    } else if (/^(Arrow|Home|End|Page)/.test(event.key)) close();
  });
  // Pressing the button of a mouse must not take the focus from the text.
  list.addEventListener('mousedown', event => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const at = [...list.children].indexOf(target.closest('[role=option]'));
    if (open && at >= 0) take(open.offered[at]);
  });

  /** Forms that were sent a moment ago. */
  const sent = new Set();

  document.addEventListener('submit', event => {
    const { submitter, target: form } = event;
    if (!submitter?.hasAttribute('data-preview')) {
      // Pressed twice is meant once.
      if (sent.has(form)) event.preventDefault();
      sent.add(form);
      setTimeout(() => sent.delete(form), SENT_MS);
      return;
    }
    event.preventDefault();
    const elsewhere = () => {
      // As without a script.
      submitter.removeAttribute('data-preview');
      form.requestSubmit(submitter);
    };
    fetch(submitter.formAction, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
      .then(async answer => {
        const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
        const shown = next.getElementById('preview');
        if (!answer.ok || !shown) return elsewhere();
        // Other forms of the page may show one too.
        shown.removeAttribute('id');
        form.querySelector('.preview').replaceChildren(shown);
        status.textContent = 'The preview is shown below the text';
        shown.scrollIntoView({ block: 'nearest' });
      })
      .catch(elsewhere);
  });
}
