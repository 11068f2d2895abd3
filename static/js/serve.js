// Copy buttons of the serving page: shown only where the browser can copy.
if (navigator.clipboard) {
  document.querySelectorAll("button[data-copy]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = button.dataset.done;
    });
  });
}
