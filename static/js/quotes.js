// The table of line fields works like a spreadsheet: paste a block, move by arrow keys and Enter, drag rows, undo.
const table = document.getElementById("line-editor");
const order = document.getElementById("line-order");
const undoButton = document.getElementById("line-undo");
const status = document.getElementById("line-status");
const said = document.getElementById("line-pasted");

const body = () => table.tBodies[0];
const rows = () => [...body().rows];
const cellsOf = (row) => [...row.querySelectorAll("input[data-column]")];

const done = []; // each entry takes one change back
const remember = (takeBack) => {
  done.push(takeBack);
  undoButton.disabled = false;
};
const takeBack = () => {
  done.pop()?.();
  undoButton.disabled = done.length === 0;
};

const placeOf = (input) => {
  const row = input.closest("tr");
  return { row: rows().indexOf(row), column: cellsOf(row).indexOf(input) };
};

const focusAt = (row, column) => {
  const target = rows()[row];
  const input = target && cellsOf(target)[column];
  if (!input) return;
  input.focus();
  input.select();
};

const put = (changes) => {
  const before = changes.map(([input]) => [input, input.value]);
  changes.forEach(([input, value]) => {
    input.value = value;
    input.dataset.kept = value;
  });
  remember(() => before.forEach(([input, value]) => {
    input.value = value;
    input.dataset.kept = value;
  }));
};

// Rows of cells as a spreadsheet copies them: a cell with a line break or tab stands in quotes, which are doubled inside.
const cellsIn = (text) => {
  const found = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/y;
  while (cell.lastIndex <= text.length) {
    const [, quoted, plain, end] = cell.exec(text) ?? [];
    if (end === undefined) return text.split("\n").map((line) => line.split("\t"));
    found.at(-1).push((quoted === undefined ? plain : quoted.replaceAll('""', '"').replaceAll("\n", " ")).trim());
    if (end === "") return found;
    if (end === "\n") found.push([]);
  }
  return found;
};

const pasteBlock = (event) => {
  const input = event.target.closest("input[data-column]");
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!input || !/[\t\n]/.test(text.trimEnd())) return;
  event.preventDefault();
  const start = placeOf(input);
  const changes = [];
  let outside = 0;
  cellsIn(text.replaceAll("\r\n", "\n").trimEnd()).forEach((cells, down) => {
    cells.forEach((value, right) => {
      const row = rows()[start.row + down];
      const target = row && cellsOf(row)[start.column + right];
      if (target) changes.push([target, value]);
      else if (value) outside += 1;
    });
  });
  put(changes);
  said.hidden = outside === 0;
  said.textContent = said.dataset.outside.replace("{count}", String(outside));
};

const noteOrder = () => {
  order.value = rows().map((row) => row.dataset.line).join(",");
};

const placeBefore = (row, next) => {
  const back = row.nextSibling;
  body().insertBefore(row, next);
  noteOrder();
  remember(() => {
    body().insertBefore(row, back);
    noteOrder();
  });
  const text = status.dataset.moved.replace("{line}", row.id.replace("line-", ""));
  status.textContent = text.replace("{row}", String(rows().indexOf(row) + 1));
};

const sameSection = (row, other) => other && row !== other && row.dataset.section === other.dataset.section;

const moveRow = (row, step) => {
  const other = step < 0 ? row.previousElementSibling : row.nextElementSibling;
  if (!sameSection(row, other)) return;
  const held = document.activeElement;
  placeBefore(row, step < 0 ? other : other.nextSibling);
  held?.focus();
};

const moveByKey = (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key];
  const row = event.target.closest("tr");
  if (event.altKey && step && event.key !== "Enter" && row) {
    event.preventDefault();
    moveRow(row, step);
    return;
  }
  const input = event.target.closest("input[data-column]");
  if (!input || !step || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const { row: at, column } = placeOf(input);
  focusAt(at + (event.key === "Enter" && event.shiftKey ? -1 : step), column);
};

const noteTyping = (event) => {
  const input = event.target.closest("input[data-column]");
  if (!input) return;
  const before = input.dataset.kept ?? input.defaultValue;
  input.dataset.kept = input.value;
  remember(() => {
    input.value = before;
    input.dataset.kept = before;
  });
};

const dragRows = () => {
  let dragged = null;
  table.addEventListener("dragstart", (event) => {
    dragged = event.target.closest(".kv-grip")?.closest("tr") ?? null;
    if (!dragged) return;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.id);
    event.dataTransfer.setDragImage(dragged, 0, 0);
  });
  table.addEventListener("dragover", (event) => {
    const over = event.target.closest("tbody tr");
    if (dragged && sameSection(dragged, over)) event.preventDefault();
  });
  table.addEventListener("drop", (event) => {
    const over = event.target.closest("tbody tr");
    if (!dragged || !sameSection(dragged, over)) return;
    event.preventDefault();
    const isBelow = rows().indexOf(over) > rows().indexOf(dragged);
    placeBefore(dragged, isBelow ? over.nextSibling : over);
    dragged = null;
  });
  table.addEventListener("dragend", () => {
    dragged = null;
  });
};

// Rows that nobody touched are not sent, so that they cannot stand against what somebody else saved meanwhile.
const leaveOutUntouched = (isLeft) => {
  rows().forEach((row) => {
    if ("sent" in row.dataset || cellsOf(row).some((input) => input.value !== input.defaultValue)) return;
    row.querySelectorAll("input").forEach((input) => {
      input.disabled = isLeft;
    });
  });
};

if (table) {
  table.querySelectorAll(".kv-grip").forEach((grip) => {
    grip.hidden = false;
  });
  undoButton.hidden = false;
  undoButton.addEventListener("click", takeBack);
  table.addEventListener("paste", pasteBlock);
  table.addEventListener("keydown", moveByKey);
  table.addEventListener("change", noteTyping);
  dragRows();
  table.closest("form").addEventListener("submit", () => leaveOutUntouched(true));
  window.addEventListener("pageshow", () => leaveOutUntouched(false));
}
