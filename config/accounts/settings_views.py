"""Pages of the administrators: organisation, people, access tokens, audit trail."""

from datetime import timedelta
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.accounts import services
from config.accounts.audit_words import event_view
from config.accounts.forms import InviteForm, OrganisationForm, RoleForm, TokenForm
from config.accounts.models import ApiToken, Membership, Organisation, User
from config.accounts.permissions import Action, may, require
from config.accounts.selectors import current_organisation, events_of, people_of, tokens_of
from config.accounts.shown_once import redirect_showing, render_once

EVENTS_PER_PAGE = 50


def _administered(request: HttpRequest) -> Organisation:
    """The organisation that the signed-in person administers; 403 otherwise."""
    organisation = current_organisation(request)
    require(request.user, organisation, Action.ADMINISTER)
    if organisation is None:
        raise PermissionDenied
    return organisation


def _actor(request: HttpRequest) -> User:
    return cast(User, request.user)


@login_required
@require_http_methods(["GET", "POST"])
def organisation(request: HttpRequest) -> HttpResponse:
    """Who we are on documents, and our defaults: every member may read it, administrators change it."""
    ours = current_organisation(request)
    require(request.user, ours, Action.VIEW if request.method == "GET" else Action.ADMINISTER)
    form = OrganisationForm(request.POST or None, instance=ours)
    if request.method == "GET" and not may(request.user, ours, Action.ADMINISTER):
        form.lock()
    if request.method == "POST" and form.is_valid():
        services.save_organisation(organisation=form.instance, changed=list(form.changed_data), actor=_actor(request))
        messages.success(request, _("Saved."))
        return redirect("accounts:organisation")
    return render(request, "accounts/organisation.html", {"form": form}, status=422 if form.is_bound else 200)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    """Members with their roles; a POST invites somebody and shows the link to hand over, once."""
    ours = _administered(request)
    form = InviteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            member, secret = services.invite(organisation=ours, actor=_actor(request), **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            link = request.build_absolute_uri(reverse("accounts:link", args=[secret])) if secret else ""
            return redirect_showing(reverse("accounts:people"), invited=str(member.user), link=link)
    rows = [(member, RoleForm(initial={"role": member.role}, prefix=str(member.pk))) for member in people_of(ours)]
    context = {"form": form, "rows": rows}
    return render_once(request, "accounts/people.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def role(request: HttpRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(Membership, pk=pk, organisation=_administered(request))
    form = RoleForm(request.POST, prefix=str(member.pk))
    if not form.is_valid():
        messages.error(request, _("Choose one of the roles."))
        return redirect("accounts:people")
    try:
        services.change_role(membership=member, role=form.cleaned_data["role"], actor=_actor(request))
    except services.LastAdministrator as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Saved."))
    return redirect("accounts:people")


@login_required
@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(Membership, pk=pk, organisation=_administered(request))
    try:
        services.remove_member(membership=member, actor=_actor(request))
    except services.LastAdministrator as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(person)s is no longer a member.") % {"person": member.user})
    return redirect("accounts:people")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """Access tokens for programs; a new key is shown once, on the page that the answer to the form leads to."""
    ours = _administered(request)
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        _token, key = services.issue_token(
            organisation=ours,
            user=_actor(request),
            name=form.cleaned_data["name"],
            scopes=form.cleaned_data["scopes"],
            expires_at=timezone.now() + timedelta(days=form.cleaned_data["days"]),
        )
        return redirect_showing(reverse("accounts:tokens"), key=key)
    context = {"form": form, "tokens": tokens_of(ours)}
    return render_once(request, "accounts/tokens.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def revoke(request: HttpRequest, public_id: str) -> HttpResponse:
    token = get_object_or_404(ApiToken, public_id=public_id, organisation=_administered(request))
    services.revoke_token(token=token, actor=_actor(request))
    messages.success(request, _("The token %(name)s is revoked.") % {"name": token.name})
    return redirect("accounts:tokens")


@login_required
@require_safe
def audit(request: HttpRequest) -> HttpResponse:
    """Who did what and when, newest first."""
    page = Paginator(events_of(_administered(request)), EVENTS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "accounts/audit.html", {"page": page, "events": [event_view(event) for event in page]})
