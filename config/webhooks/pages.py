"""Pages of the administrators: receivers of messages, and what was delivered to each."""

from typing import cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from config.accounts.models import Organisation, User
from config.accounts.permissions import Action, require
from config.accounts.selectors import current_organisation
from config.accounts.shown_once import redirect_showing, render_once
from config.webhooks import selectors, services
from config.webhooks.errors import WebhookError
from config.webhooks.forms import EndpointForm, initial_of
from config.webhooks.models import WebhookEndpoint
from config.webhooks.words import words

ROWS_PER_PAGE = 25


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def endpoints(request: HttpRequest) -> HttpResponse:
    """All receivers; a POST adds one and shows its secret, once."""
    ours = _administered(request)
    form = EndpointForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            _made, secret = services.add_endpoint(organisation=ours, user=_actor(request), **form.cleaned_data)
        except WebhookError as error:
            form.add_error("url", str(error))
        else:
            return redirect_showing(reverse("webhooks:endpoints"), secret=secret)
    context = {"form": form, "rows": selectors.endpoints_of(ours)}
    return render_once(request, "webhooks/list.html", context, status=422 if form.is_bound else 200)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def endpoint(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """One receiver: change it, and see what was delivered."""
    row = _row(request, public_id)
    form = EndpointForm(request.POST or None, initial=initial_of(row))
    if request.method == "POST" and form.is_valid():
        try:
            services.change_endpoint(endpoint=row, changes=form.cleaned_data, user=_actor(request))
        except WebhookError as error:
            form.add_error("url", str(error))
        else:
            messages.success(request, _("Saved."))
            return redirect("webhooks:endpoint", public_id=public_id)
    return _shown(request, row, form, status=422 if form.is_bound else 200)


@never_cache
@login_required
@require_POST
def rotate(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """A new secret, shown once on the page of the receiver."""
    secret = services.rotate_secret(endpoint=_row(request, public_id), user=_actor(request))
    return redirect_showing(reverse("webhooks:endpoint", args=[public_id]), secret=secret)


@login_required
@require_POST
def switch(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Off where it is on, and on where it is off."""
    row = _row(request, public_id)
    services.change_endpoint(endpoint=row, changes={"is_enabled": not row.is_enabled}, user=_actor(request))
    messages.success(request, _("Switched on.") if row.is_enabled else _("Switched off."))
    return redirect("webhooks:endpoint", public_id=public_id)


@login_required
@require_POST
def test(request: HttpRequest, public_id: UUID) -> HttpResponse:
    services.send_test(endpoint=_row(request, public_id), user=_actor(request))
    messages.success(request, _("A test message is on its way. Look at the log in a moment."))
    return redirect("webhooks:endpoint", public_id=public_id)


@login_required
@require_POST
def resend(request: HttpRequest, public_id: UUID, delivery_id: UUID) -> HttpResponse:
    row = _row(request, public_id)
    delivery = get_object_or_404(selectors.deliveries_of(row).select_related("endpoint"), public_id=delivery_id)
    services.resend(delivery=delivery, user=_actor(request))
    messages.success(request, _("The message is sent again, under its first id."))
    return redirect("webhooks:endpoint", public_id=public_id)


@login_required
@require_POST
def remove(request: HttpRequest, public_id: UUID) -> HttpResponse:
    services.remove_endpoint(endpoint=_row(request, public_id), user=_actor(request))
    messages.success(request, _("The receiver is removed."))
    return redirect("webhooks:endpoints")


def _shown(request: HttpRequest, row: WebhookEndpoint, form: EndpointForm, *, status: int = 200) -> HttpResponse:
    page = Paginator(selectors.deliveries_of(row), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    for delivery in page:
        last = next(iter(delivery.tries.all()), None)
        delivery.last_words = words(last.code, last.params) if last else ""  # type: ignore[attr-defined]
    disabled = words(row.disabled_code, {}) if row.disabled_code else ""
    context = {"row": row, "form": form, "page": page, "disabled": disabled}
    return render_once(request, "webhooks/detail.html", context, status=status)


def _row(request: HttpRequest, public_id: UUID) -> WebhookEndpoint:
    return get_object_or_404(selectors.endpoints_of(_administered(request)), public_id=public_id)


def _administered(request: HttpRequest) -> Organisation:
    ours = current_organisation(request)
    require(request.user, ours, Action.ADMINISTER)
    if ours is None:
        raise PermissionDenied
    return ours


def _actor(request: HttpRequest) -> User:
    return cast(User, request.user)
