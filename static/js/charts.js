// Draws the figures that the server built, once the page itself stands: Plotly is fetched after the load, charts in
// view come first, the others in idle time. Colours arrive as names of CSS variables and get the theme's values here.
const CONFIG = { displaylogo: false, displayModeBar: false, responsive: true };

const withColours = (value, styles) => {
  if (typeof value === "string") {
    const name = /^var\((--[\w-]+)\)$/.exec(value);
    return name ? styles.getPropertyValue(name[1]).trim() || value : value;
  }
  if (Array.isArray(value)) return value.map((inner) => withColours(inner, styles));
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withColours(inner, styles)]));
  }
  return value;
};

const resolved = (styles, name, depth = 0) => {
  const text = styles.getPropertyValue(name).trim();
  const inner = /^var\((--[\w-]+)\)$/.exec(text);
  return inner && depth < 4 ? resolved(styles, inner[1], depth + 1) : text;
};

const NARROW_PX = 480;
const LETTER_PX = 7.5;
const AXIS_PX = 70; // the figures of the upright axis, and room on both sides
const PAPER_PX = 660; // between the margins of an upright A4 or Letter sheet, inside the frame of a panel
let widest = Infinity;

// On a narrow screen points carry the option's number, and long names are cut; the table has them in full.
const fitted = (figure, width) => {
  if (width >= NARROW_PX) return figure;
  figure.data.forEach((trace) => { if (trace.meta?.short) trace.text = trace.meta.short; });
  const axis = figure.layout.yaxis.showticklabels === false ? 0 : AXIS_PX;
  const longest = Math.floor((width - axis) / LETTER_PX);
  (figure.layout.annotations ?? []).forEach((note) => {
    if (note.text.length > longest) note.text = `${note.text.slice(0, longest - 1)}…`;
  });
  return figure;
};

const styles = () => {
  const root = getComputedStyle(document.documentElement);
  return { getPropertyValue: (name) => resolved(root, name) };
};
const sourceOf = (plot) => JSON.parse(document.getElementById(plot.dataset.figure).textContent);

let fetched = null;
const plotly = () => {
  fetched ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = document.getElementById("kv-charts").dataset.plotly;
    script.addEventListener("load", () => resolve(window.Plotly));
    script.addEventListener("error", reject);
    document.head.append(script);
  });
  return fetched;
};

const draw = (plot) => {
  const figure = fitted(withColours(sourceOf(plot), styles()), plot.clientWidth);
  if (plot.clientWidth > widest) figure.layout.width = widest;
  if (figure.layout.height) plot.style.setProperty("height", `${figure.layout.height}px`);
  plot.querySelector(".kv-plot-space")?.remove();
  plot.dataset.drawn = "";
  window.Plotly.react(plot, figure.data, figure.layout, CONFIG).then(() => keepInside(plot));
};

// A note that would run over the edge of its plot is moved back inside.
const ROOM_PX = 4;
const keepInside = (plot) => {
  const frame = plot.getBoundingClientRect();
  const moves = {};
  plot.querySelectorAll(".annotation[data-index]").forEach((note) => {
    const { left, right } = note.getBoundingClientRect();
    const over = Math.max(0, right - frame.right + ROOM_PX) - Math.max(0, frame.left + ROOM_PX - left);
    const before = plot.layout.annotations[note.dataset.index].xshift ?? 0;
    if (Math.abs(over) > 1) moves[`annotations[${note.dataset.index}].xshift`] = before - over;
  });
  if (Object.keys(moves).length) window.Plotly.relayout(plot, moves);
};

// A picture of the chart for slides and mails: on the surface of the page, with its title as file name.
const SIZE = { width: 1200, height: 675, scale: 2 };
const save = async (button) => {
  const figure = button.closest("figure");
  const plot = figure.querySelector("[data-figure]");
  const shown = styles();
  const drawn = withColours(sourceOf(plot), shown);
  const title = figure.querySelector("h3").textContent.trim();
  const font = { ...drawn.layout.font, size: 16 };
  const heading = { text: title, x: 0.04, font: { ...font, size: 20, color: shown.getPropertyValue("--kv-ink") } };
  const margin = { ...drawn.layout.margin, t: 80 };
  drawn.layout = { ...drawn.layout, font, margin, title: heading, height: SIZE.height, width: SIZE.width, paper_bgcolor: shown.getPropertyValue("--kv-surface") };
  const filename = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);
  const { downloadImage } = await plotly();
  await downloadImage(drawn, { ...SIZE, format: button.dataset.save, filename });
};
document.querySelectorAll("button[data-save]").forEach((button) => {
  button.hidden = false;
  button.addEventListener("click", () => save(button));
});

const waiting = new Set(document.querySelectorAll("[data-figure]"));
const inTurn = (plot) => {
  if (waiting.delete(plot)) draw(plot);
};
const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));
const drawRest = () => {
  const [next] = waiting;
  if (!next) return;
  inTurn(next);
  idle(drawRest);
};
const begin = async () => {
  await plotly();
  const seen = new IntersectionObserver((entries) => {
    entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
      seen.unobserve(entry.target);
      inTurn(entry.target);
    });
  }, { rootMargin: "200px" });
  waiting.forEach((plot) => seen.observe(plot));
  idle(drawRest);
};
const drawAgain = () => document.querySelectorAll("[data-figure][data-drawn]").forEach(draw);

if (waiting.size) {
  if (document.readyState === "complete") idle(begin);
  else window.addEventListener("load", () => idle(begin));
  window.matchMedia(`(max-width: ${NARROW_PX}px)`).addEventListener("change", drawAgain);
  new MutationObserver(drawAgain).observe(document.documentElement, { attributeFilter: ["data-bs-theme"] });
}

// Printing shows the tables beside the charts, in the light theme whatever the screen has.
let closed = [];
let theme = "";
window.addEventListener("beforeprint", () => {
  const root = document.documentElement;
  theme = root.dataset.bsTheme ?? "";
  root.dataset.bsTheme = "light";
  widest = PAPER_PX;
  if (window.Plotly) [...waiting].forEach(inTurn);
  if (window.Plotly) drawAgain();
  closed = [...document.querySelectorAll("figure.kv-chart details:not([open])")];
  closed.forEach((table) => { table.open = true; });
});
window.addEventListener("afterprint", () => {
  if (theme) document.documentElement.dataset.bsTheme = theme;
  widest = Infinity;
  if (window.Plotly) drawAgain();
  closed.forEach((table) => { table.open = false; });
});
