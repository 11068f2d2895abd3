"""Consent in Kvote's look, and the page on which administrators make programs known."""

from typing import Any, cast
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from oauth2_provider.views import AuthorizationView

from config.accounts.models import Membership, Organisation, User
from config.accounts.permissions import Action, require
from config.accounts.selectors import current_organisation
from config.accounts.shown_once import redirect_showing, render_once
from config.oauth import services
from config.oauth.forms import ClientForm
from config.oauth.models import OAuthClient


class ConsentView(AuthorizationView):  # type: ignore[misc]
    """Asks a member whether the program may act for them in its organisation; others get 403."""

    template_name = "oauth/consent.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        client_id = request.POST.get("client_id") or request.GET.get("client_id", "")
        client = OAuthClient.objects.select_related("organisation").filter(application__client_id=client_id).first()
        if client is not None and request.user.is_authenticated:
            if not Membership.objects.filter(user_id=request.user.pk, organisation=client.organisation).exists():
                raise PermissionDenied
            self.extra_context = {"acting_for": client.organisation}
        response: Any = super().dispatch(request, *args, **kwargs)
        data = getattr(self, "oauth2_data", {})
        if address := data.get("redirect_uri"):
            # The answer to the form leads to the program, which the policy would otherwise forbid.
            parts = urlsplit(address)
            policy: Any = settings.SECURE_CSP
            response._csp_config = policy | {
                "form-action": [*policy["form-action"], f"{parts.scheme}://{parts.netloc}"]
            }
        answer: HttpResponseBase = response
        return answer


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def clients(request: HttpRequest) -> HttpResponse:
    """Programs of the organisation; a POST makes one known and shows its secret, once."""
    ours = _administered(request)
    form = ClientForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made, secret = services.add_client(organisation=ours, user=_actor(request), **form.cleaned_data)
        return redirect_showing(reverse("oauth:clients"), client_id=made.application.client_id, secret=secret)
    context = {"form": form, "rows": services.clients_of(ours)}
    return render_once(request, "oauth/clients.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def remove(request: HttpRequest, public_id: UUID) -> HttpResponse:
    client = get_object_or_404(services.clients_of(_administered(request)), public_id=public_id)
    name = client.application.name
    services.remove_client(client=client, user=_actor(request))
    messages.success(request, _("The program %(name)s is refused from now on.") % {"name": name})
    return redirect("oauth:clients")


def _administered(request: HttpRequest) -> Organisation:
    ours = current_organisation(request)
    require(request.user, ours, Action.ADMINISTER)
    if ours is None:
        raise PermissionDenied
    return ours


def _actor(request: HttpRequest) -> User:
    return cast(User, request.user)
