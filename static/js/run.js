// When the last progress answer arrives the page moves on to the result, unless the reader has scrolled.
document.body.addEventListener("htmx:afterSwap", () => {
  const done = document.querySelector("#progress[data-done]");
  if (done && window.scrollY < 40) window.location.assign(done.dataset.done);
});
