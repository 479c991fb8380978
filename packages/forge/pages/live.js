// In the browser: what changed on the forge is brought into the page that stands there, and what one types stays.
// Served behind idiomorph, in one file.
/* global Idiomorph */
{
  const main = document.getElementById('main');
  const status = document.getElementById('renewed');
  let isAsking = false;
  let isBehind = false;

  const changed = field =>
    field.type === 'checkbox' ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  /** Somebody is in it, or has begun to fill it in. */
  const isUsed = form =>
    form.contains(document.activeElement) ||
    [...form.elements].some(field => field.matches('input:not([type="hidden"]), textarea') && changed(field));

  const renew = async () => {
    if (isAsking || document.hidden) {
      isBehind = true;
      return;
    }
    [isAsking, isBehind] = [true, false];
    try {
      const answer = await fetch(location.href);
      if (answer.ok && !answer.redirected)
        show(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    } catch {
      // The forge is not there now: the next change is told when it is back.
    }
    isAsking = false;
    if (isBehind) await renew();
  };

  const show = next => {
    let fresh = 0;
    Idiomorph.morph(main, next.getElementById('main').innerHTML, {
      morphStyle: 'innerHTML',
      ignoreActiveValue: true,
      callbacks: {
        beforeNodeMorphed: node => !(node instanceof HTMLFormElement && isUsed(node)),
        // Folds stay as they were left.
        beforeAttributeUpdated: (name, node) => !(name === 'open' && node instanceof HTMLDetailsElement),
        afterNodeAdded: node => {
          if (!(node instanceof Element) || !node.matches('article, tr, li')) return;
          node.classList.add('fresh');
          fresh += 1;
        },
      },
    });
    document.title = next.title;
    document.body.toggleAttribute('data-busy', next.body.hasAttribute('data-busy'));
    if (fresh > 0) status.textContent = `New on this page: ${fresh}`;
  };

  new EventSource('/-/changes').addEventListener('message', renew);
  document.addEventListener('visibilitychange', () => {
    if (isBehind) void renew();
  });
  // Logs grow without a change of anything else.
  setInterval(() => {
    if (document.body.hasAttribute('data-busy')) void renew();
  }, 2000);
}
