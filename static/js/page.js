// What every page shares: help bubbles close on Escape and on a click elsewhere, explanations open in a drawer.
const closeBubbles = (except) => {
  document.querySelectorAll("details.kv-why[open], details.kv-menu[open]").forEach((bubble) => {
    if (bubble !== except) bubble.open = false;
  });
};

document.addEventListener("click", (event) => {
  closeBubbles(event.target.closest("details.kv-why, details.kv-menu"));
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const bubble = document.querySelector("details.kv-why[open], details.kv-menu[open]");
  if (bubble) {
    bubble.open = false;
    bubble.querySelector("summary").focus();
  }
});

const drawer = document.getElementById("kv-drawer");
if (drawer) {
  let opener = null;
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-why]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    opener = link;
    const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
    if (!answer.ok) {
      window.location.assign(link.href);
      return;
    }
    drawer.innerHTML = await answer.text();
    if (!drawer.open) drawer.showModal();
  });
  drawer.addEventListener("click", (event) => {
    if (event.target === drawer || event.target.closest("[data-close]")) drawer.close();
  });
  drawer.addEventListener("close", () => opener?.focus());
}

const firstError = document.querySelector(".kv-field.has-error input, .kv-field.has-error select, .kv-field.has-error textarea");
if (firstError) {
  firstError.closest("details:not(.kv-why)")?.setAttribute("open", "");
  firstError.focus();
}
