// Material keeps the theme that it shows. Here only one that a reader chose is kept, so that all others go on following
// their system. This runs after Material has said how it keeps things, and before it does.
{
  const THEME = "__palette";
  const keep = globalThis.__md_set;
  let chosen = Boolean(globalThis.__md_get(THEME));
  const seen = ({ target }) => (chosen ||= target.matches("[data-md-component=palette] input"));
  document.addEventListener("change", seen, true);
  globalThis.__md_set = (name, ...rest) => (name !== THEME || chosen) && keep(name, ...rest);
}
