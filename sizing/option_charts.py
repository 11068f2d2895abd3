"""The charts that an option page shows beside its figures."""

from sizing.charts import Chart
from sizing.cost_charts import cost_chart, cost_swing_chart, sensitivity_chart
from sizing.kinds.batch_chart import GATHERED, batch_chart
from sizing.presentation import OptionView
from sizing.speed_charts import load_chart, roofline_chart


def option_charts(option: OptionView) -> list[tuple[str, Chart]]:
    """Each chart with the name of its place; those of tokens stand on options of language models only."""
    if option.kind_figures:
        waits = [("batching", batch_chart(option))] if option.request["kind"] in GATHERED else []
        return [*waits, ("cost-time", cost_chart(option)), ("cost-swings", cost_swing_chart(option))]
    return [
        ("load-tpot", load_chart(option, "tpot")),
        ("load-ttft", load_chart(option, "ttft")),
        ("roofline", roofline_chart(option)),
        ("cost-time", cost_chart(option)),
        ("cost-swings", cost_swing_chart(option)),
        ("sensitivity", sensitivity_chart(option)),
    ]
