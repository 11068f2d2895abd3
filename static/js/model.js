// Of a weight file only its header matters: the form sends that much of each file and states the full sizes.
const form = document.getElementById("model-form");
const input = form.querySelector("#id_model_files");
const sizes = form.querySelector("#id_sizes");
const LIMIT_BYTES = 0.9 * Number(form.dataset.limit); // of one request; the rest is for the other fields
const LARGEST_HEADER_BYTES = 25_000_000; // of safetensors, as the server reads them
const GGUF = 0x47475546;
const LATER_SHARD = /-(?!00001-)\d{5}-of-\d{5}\.gguf$/;
const LATER_SHARD_BYTES = 500_000; // it lists its tensors and repeats no vocabulary
let ready = Promise.resolve();
let waiting = false;

// Bytes of a file's header; Infinity for GGUF, which does not say.
const headBytes = async (file) => {
  const first = new DataView(await file.slice(0, 9).arrayBuffer());
  if (first.byteLength < 9) return file.size;
  const length = Number(first.getBigUint64(0, true));
  if (first.getUint8(8) === 0x7b && length <= LARGEST_HEADER_BYTES) return Math.min(file.size, 8 + length);
  if (first.getUint32(0) !== GGUF) return file.size;
  return LATER_SHARD.test(file.name) ? Math.min(file.size, LATER_SHARD_BYTES) : Infinity;
};

const cut = async () => {
  const files = [...input.files];
  sizes.value = files.map((file) => file.size).join(",");
  const heads = await Promise.all(files.map(headBytes));
  const known = heads.filter(Number.isFinite).reduce((sum, bytes) => sum + bytes, 0);
  const open = heads.length - heads.filter(Number.isFinite).length;
  const share = Math.max(0, Math.floor((LIMIT_BYTES - known) / Math.max(1, open)));
  const sent = new DataTransfer();
  files.forEach((file, place) => {
    const bytes = Math.min(heads[place], Number.isFinite(heads[place]) ? Infinity : share);
    sent.items.add(bytes < file.size ? new File([file.slice(0, bytes)], file.name) : file);
  });
  input.files = sent.files;
};

const take = () => {
  waiting = true;
  ready = cut().finally(() => {
    waiting = false;
  });
};

input.addEventListener("change", take);
form.addEventListener("submit", (event) => {
  if (!waiting) return;
  event.preventDefault();
  ready.then(() => form.requestSubmit());
});
form.addEventListener("dragover", (event) => {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
});
form.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  input.files = event.dataTransfer.files;
  take();
});
