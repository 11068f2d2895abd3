// Model search in the form: type a few letters, arrows choose, Enter takes, Escape closes. Each hit shows its shape.
// Without this script the browser's own list of the field serves.
const input = document.getElementById("id_model");
const list = document.getElementById("kv-picks");
const status = document.getElementById("kv-picks-count");
const ASK_AFTER_MS = 120;
let at = -1;
let timer = 0;
let asked = null;

const options = () => [...list.querySelectorAll("[role=option]:not([aria-disabled])")];

const choose = (index) => {
  const all = options();
  at = all.length ? (index + all.length) % all.length : -1;
  all.forEach((option, place) => {
    option.classList.toggle("is-chosen", place === at);
    option.setAttribute("aria-selected", String(place === at));
  });
  if (at < 0) input.removeAttribute("aria-activedescendant");
  else {
    input.setAttribute("aria-activedescendant", all[at].id);
    all[at].scrollIntoView({ block: "nearest" });
  }
};

const close = () => {
  clearTimeout(timer);
  asked = null;
  list.hidden = true;
  input.setAttribute("aria-expanded", "false");
  choose(-1);
  input.removeAttribute("aria-activedescendant");
};

const ask = async () => {
  const query = input.value;
  asked = query;
  const answer = await fetch(`${input.dataset.search}?${new URLSearchParams({ q: query })}`);
  if (!answer.ok || asked !== query) return;
  list.innerHTML = await answer.text();
  list.hidden = false;
  input.setAttribute("aria-expanded", "true");
  status.textContent = status.dataset.words.replace("{count}", String(options().length));
  at = -1;
  input.removeAttribute("aria-activedescendant");
};

const take = (option) => {
  input.value = option.dataset.value;
  close();
  input.dispatchEvent(new Event("change", { bubbles: true }));
};

if (input?.dataset.search) {
  input.removeAttribute("list");
  const attributes = { role: "combobox", "aria-expanded": "false", "aria-controls": list.id, "aria-autocomplete": "list" };
  Object.entries(attributes).forEach(([name, value]) => input.setAttribute(name, value));
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, ASK_AFTER_MS);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) ask();
      else choose(event.key === "ArrowDown" ? at + 1 : at < 0 ? -1 : at - 1);
    } else if (event.key === "Enter" && !list.hidden && at >= 0) {
      event.preventDefault();
      take(options()[at]);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
  input.addEventListener("blur", close);
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]:not([aria-disabled])");
    if (option) take(option);
  });
}
