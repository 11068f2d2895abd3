// The preview is a help, never a condition: where it fails the old figures stay and a line says that sizing works.
// A dropped config.json goes into the file field, wherever on the form it lands.
const form = document.getElementById("workload");
const notice = document.getElementById("preview-failed");

const failed = (event) => {
  if (event.target.closest("#workload")) notice.hidden = false;
};
document.body.addEventListener("htmx:responseError", failed);
document.body.addEventListener("htmx:sendError", failed);
document.body.addEventListener("htmx:afterSwap", () => { notice.hidden = true; });

form.addEventListener("dragover", (event) => {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
});
form.addEventListener("drop", (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  const field = form.querySelector("#id_config_file");
  field.closest("details").open = true;
  field.files = event.dataTransfer.files;
  form.querySelector("#id_model").value = "";
  field.dispatchEvent(new Event("change", { bubbles: true }));
});
