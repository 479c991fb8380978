// In the browser: an address of lines as GitHub writes it, `#L10-L20`, which no server sees.
// Served behind the script that renews a page, in one file.
{
  const go = () => {
    const [, first, last] = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash) ?? [];
    const isFile = /^\/[^/]+\/[^/]+\/blob\//.test(location.pathname);
    if (first === undefined || !isFile) return;
    // One line that stands on the page needs no help.
    if (last === undefined && document.getElementById(`L${first}`)) return;
    if (new URLSearchParams(location.search).has('lines')) return;
    location.replace(`${location.pathname}?lines=${first}-${last ?? first}#L${first}`);
  };
  go();
  addEventListener('hashchange', go);
}
