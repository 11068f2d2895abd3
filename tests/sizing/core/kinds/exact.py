"""An exact packing by dynamic programming over subsets: slow, simple, and built apart from the product's search."""

from functools import cache


def fewest_bins(sizes: tuple[tuple[float, float], ...]) -> int:
    """Fewest bins of 1 x 1 for up to about 14 items: best split of every subset into one bin and the rest."""
    count = len(sizes)
    fits = [False] * (1 << count)
    for mask in range(1 << count):
        chosen = [sizes[i] for i in range(count) if mask >> i & 1]
        fits[mask] = sum(s[0] for s in chosen) <= 1 + 1e-9 and sum(s[1] for s in chosen) <= 1 + 1e-9

    @cache
    def least(mask: int) -> int:
        if not mask:
            return 0
        first = mask & -mask
        rest = mask ^ first
        best = count
        sub = rest
        while True:
            if fits[sub | first]:
                best = min(best, 1 + least(mask ^ (sub | first)))
            if not sub:
                return best
            sub = (sub - 1) & rest

    return least((1 << count) - 1)
