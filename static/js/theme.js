// Runs before the first paint: without a saved choice the theme follows the system.
const root = document.documentElement;
if (!root.dataset.bsTheme) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => { root.dataset.bsTheme = dark.matches ? "dark" : "light"; };
  follow();
  dark.addEventListener("change", follow);
}
