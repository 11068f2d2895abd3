// Of a weight file only its header matters: the form sends the beginning of a large file and states the full size.
const HEAD_BYTES = 48_000_000;
const form = document.getElementById("model-form");
const input = form.querySelector("#id_model_files");
const sizes = form.querySelector("#id_sizes");

const cut = () => {
  const files = [...input.files];
  sizes.value = files.map((file) => file.size).join(",");
  if (!files.some((file) => file.size > HEAD_BYTES)) return;
  const sent = new DataTransfer();
  files.forEach((file) => {
    sent.items.add(file.size > HEAD_BYTES ? new File([file.slice(0, HEAD_BYTES)], file.name) : file);
  });
  input.files = sent.files;
};

input.addEventListener("change", cut);
form.addEventListener("dragover", (event) => {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
});
form.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  input.files = event.dataTransfer.files;
  cut();
});
