"""Fields of the workload form on replicas of several servers: the network between them, prefill and decode apart."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sizing.core.request import PHASES_APART
from sizing.engines import engine_name
from sizing.numbers import NumberField

NETWORKS = [
    ("", gettext_lazy("Unknown")),
    ("infiniband", "InfiniBand"),
    ("ethernet", gettext_lazy("Ethernet with RDMA (RoCE)")),
]
NETWORK_FIELDS = ("network", "network_gbit_s_per_accelerator")
PHASE_FIELDS = ("prefill_instances", "decode_instances")
CLUSTER_FIELDS = (*NETWORK_FIELDS, *PHASE_FIELDS)
CLUSTER_POINTERS = {
    "/deployment": "prefill_instances",
    "/deployment/disaggregated/decode_instances": "decode_instances",
    **{f"/site/{name}": name for name in NETWORK_FIELDS},
}


class ClusterForm(forms.Form):
    """How servers are joined, and whether prompts are read elsewhere than answers are written. All may stay empty."""

    network = forms.ChoiceField(label=gettext_lazy("Network between servers"), choices=NETWORKS, required=False)
    network_gbit_s_per_accelerator = NumberField(
        label=gettext_lazy("Network per accelerator"), low=1, high=10_000, required=False
    )
    prefill_instances = NumberField(
        label=gettext_lazy("Copies that prefill"), low=1, high=64, whole=True, required=False
    )
    decode_instances = NumberField(label=gettext_lazy("Copies that decode"), low=1, high=64, whole=True, required=False)

    def check_phases(self, software: list[str] | None) -> None:
        """Both numbers or none, and software that hands a cache over."""
        data = self.cleaned_data
        given = [name for name in PHASE_FIELDS if data.get(name) is not None]
        if len(given) == 1 and not set(PHASE_FIELDS) & set(self.errors):
            missing = next(name for name in PHASE_FIELDS if name not in given)
            self.add_error(missing, _("Fill in both numbers of copies, or leave both empty."))
        if given and software and not set(software) & set(PHASES_APART):
            known = ", ".join(engine_name(slug) for slug in PHASES_APART)
            words = _("This serving software does not run prefill and decode apart. These do: %(known)s.")
            self.add_error(given[0], words % {"known": known})

    def deployment_json(self) -> dict[str, Any]:
        """The `deployment` of the request where phases run apart; nothing otherwise."""
        data = self.cleaned_data
        if data.get("prefill_instances") is None:
            return {}
        return {"deployment": {"disaggregated": {name: data[name] for name in PHASE_FIELDS}}}

    def network_json(self) -> dict[str, Any]:
        """The keys of `site` that are stated."""
        return {name: value for name in NETWORK_FIELDS if (value := self.cleaned_data.get(name)) not in (None, "")}


def cluster_initial(request: Mapping[str, Any]) -> dict[str, Any]:
    """The values of these fields for an earlier request."""
    site, apart = request.get("site") or {}, (request.get("deployment") or {}).get("disaggregated") or {}
    return {name: site.get(name) for name in NETWORK_FIELDS} | {name: apart.get(name) for name in PHASE_FIELDS}
