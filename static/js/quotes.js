// The table of line fields works like a spreadsheet: paste a block, move by arrow keys and Enter.
const table = document.getElementById("line-editor");

const cellsOf = (row) => [...row.querySelectorAll("input[data-column]")];
const rows = table ? [...table.tBodies[0].rows] : [];

const placeOf = (input) => {
  const row = input.closest("tr");
  return { row: rows.indexOf(row), column: cellsOf(row).indexOf(input) };
};

const focusAt = (row, column) => {
  const input = rows[row] && cellsOf(rows[row])[column];
  if (!input) return;
  input.focus();
  input.select();
};

const pasteBlock = (event) => {
  const input = event.target.closest("input[data-column]");
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!input || !/[\t\n]/.test(text.trimEnd())) return;
  event.preventDefault();
  const start = placeOf(input);
  text.trimEnd().split(/\r?\n/).forEach((line, down) => {
    line.split("\t").forEach((value, right) => {
      const target = rows[start.row + down] && cellsOf(rows[start.row + down])[start.column + right];
      if (target) target.value = value.trim();
    });
  });
};

const moveByKey = (event) => {
  const input = event.target.closest("input[data-column]");
  if (!input) return;
  const steps = { ArrowUp: -1, ArrowDown: 1, Enter: 1 };
  const step = steps[event.key];
  if (!step || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const { row, column } = placeOf(input);
  focusAt(row + (event.key === "Enter" && event.shiftKey ? -1 : step), column);
};

if (table) {
  table.addEventListener("paste", pasteBlock);
  table.addEventListener("keydown", moveByKey);
}
