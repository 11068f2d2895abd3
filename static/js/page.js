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

const SKELETON_AFTER_MS = 300;
const TOAST_MS = 8000;

const drawer = document.getElementById("kv-drawer");
if (drawer) {
  let opener = null;
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-why]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (!drawer.contains(link)) opener = link;
    const slow = setTimeout(() => {
      drawer.innerHTML = '<div class="kv-skeleton" aria-hidden="true"><span></span><span></span><span></span><span></span></div>';
      if (!drawer.open) drawer.showModal();
    }, SKELETON_AFTER_MS);
    const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
    clearTimeout(slow);
    if (!answer.ok) {
      window.location.assign(link.href);
      return;
    }
    drawer.innerHTML = await answer.text();
    if (!drawer.open) drawer.showModal();
    drawer.querySelector("[data-close]")?.focus();
    drawer.scrollTop = 0;
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

// What went well floats as a toast for eight seconds, longer under the pointer or the focus. Errors stay in the page.
const good = document.querySelector(".kv-notes > .is-success");
if (good) {
  const toast = document.createElement("div");
  const close = document.createElement("button");
  toast.className = "kv-toast";
  toast.setAttribute("role", "status");
  toast.append(...good.childNodes, close);
  close.type = "button";
  close.className = "kv-plain";
  close.textContent = document.body.dataset.close;
  document.body.append(toast);
  if (good.parentElement.children.length === 1) good.parentElement.remove();
  else good.remove();
  const gone = () => toast.remove();
  let timer = setTimeout(gone, TOAST_MS);
  const hold = () => clearTimeout(timer);
  const release = () => { hold(); timer = setTimeout(gone, TOAST_MS); };
  toast.addEventListener("pointerenter", hold);
  toast.addEventListener("focusin", hold);
  toast.addEventListener("pointerleave", release);
  toast.addEventListener("focusout", release);
  close.addEventListener("click", gone);
  requestAnimationFrame(() => toast.classList.add("is-shown"));
}

// A destructive form asks once more; the focus stands on the safe answer.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.confirm || form.dataset.asked) return;
  event.preventDefault();
  const { submitter } = event;
  const dialog = document.createElement("dialog");
  const question = document.createElement("p");
  const row = document.createElement("p");
  const [act, keep] = [document.createElement("button"), document.createElement("button")];
  dialog.className = "kv-dialog";
  question.id = "kv-question";
  question.className = "kv-t3";
  question.textContent = form.dataset.confirm;
  dialog.setAttribute("aria-labelledby", question.id);
  row.className = "kv-actions kv-gap-top-3";
  act.className = "btn btn-danger";
  act.textContent = submitter?.textContent ?? form.dataset.confirm;
  keep.className = "btn btn-outline-secondary";
  keep.textContent = form.dataset.keep;
  row.append(act, keep);
  dialog.append(question, row);
  document.body.append(dialog);
  keep.addEventListener("click", () => dialog.close());
  act.addEventListener("click", () => {
    form.dataset.asked = "yes";
    dialog.close();
    form.requestSubmit(submitter ?? undefined);
  });
  dialog.addEventListener("close", () => { dialog.remove(); submitter?.focus(); });
  dialog.showModal();
  keep.focus();
});

// Tooltips of terms close on Escape and come back when the pointer or the focus returns.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  document.querySelectorAll(".kv-term:hover, .kv-term:focus-within").forEach((term) => {
    term.classList.add("is-closed");
    const again = () => term.classList.remove("is-closed");
    term.addEventListener("pointerleave", again, { once: true });
    term.addEventListener("focusout", again, { once: true });
  });
});

// "I do not know" empties its field; the note below the field says what that means.
document.querySelectorAll("[data-unknown]").forEach((button) => {
  button.hidden = false;
  button.addEventListener("click", () => {
    const field = document.getElementById(button.dataset.unknown);
    field.value = "";
    for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
    button.closest("details").open = false;
    field.focus();
  });
});

// A tooltip that would leave the page at its right end hangs from the right end of its word instead.
const turn = (event) => {
  const term = event.target.closest?.(".kv-term");
  if (!term) return;
  term.classList.remove("is-end");
  const { right } = term.querySelector("[role=tooltip]").getBoundingClientRect();
  if (right > document.documentElement.clientWidth) term.classList.add("is-end");
};
document.addEventListener("pointerover", turn);
document.addEventListener("focusin", turn);

// "Share" copies the address of the page, where the browser can copy.
if (navigator.clipboard) {
  document.querySelectorAll("[data-copy-address]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const { origin, pathname } = window.location;
      await navigator.clipboard.writeText(origin + pathname);
      button.textContent = button.dataset.done;
    });
  });
}
