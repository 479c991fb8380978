// In the browser: a preview needs no other page, and a form is sent once.
// Served behind the script that renews a page, in one file.
{
  /** Milliseconds in which a form is not sent again. */
  const SENT_MS = 2000;
  const status = document.getElementById('renewed');
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
