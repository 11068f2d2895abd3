// The command palette: the search page in a dialog. Ctrl+K or "/" opens it, arrows choose, Enter goes.
const palette = document.getElementById("kv-palette");
const opener = document.querySelector("[data-palette]");
const input = palette.querySelector("input");
const list = palette.querySelector("[data-hits]");
let at = -1;
let asked = "";
let waiting = 0;

const hits = () => [...list.querySelectorAll("a.kv-hit")];

const choose = (index) => {
  const all = hits();
  at = all.length ? (index + all.length) % all.length : -1;
  all.forEach((hit, place) => { hit.id = `kv-hit-${place}`; hit.classList.toggle("is-chosen", place === at); });
  if (at < 0) input.removeAttribute("aria-activedescendant");
  else {
    input.setAttribute("aria-activedescendant", all[at].id);
    all[at].scrollIntoView({ block: "nearest" });
  }
};

const ask = async () => {
  const query = input.value;
  asked = query;
  const answer = await fetch(`${palette.dataset.url}?${new URLSearchParams({ q: query })}`, { headers: { "HX-Request": "true" } });
  if (!answer.ok || asked !== query) return;
  list.innerHTML = await answer.text();
  choose(0);
};

const open = () => {
  if (palette.open) return;
  palette.showModal();
  input.select();
  ask();
};

opener?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open();
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  const asks = (event.key === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey);
  if (!asks) return;
  event.preventDefault();
  open();
});
input.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(ask, 120);
});
palette.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    choose(at + (event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "Enter" && event.target === input && at >= 0 && asked === input.value) {
    event.preventDefault();
    hits()[at].click();
  }
});
palette.addEventListener("click", (event) => { if (event.target === palette) palette.close(); });
