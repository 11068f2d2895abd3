"""Signing in and out, language, theme, and which organisation one acts for."""

from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from config.accounts import services
from config.accounts.forms import ChangePasswordForm, NewPasswordForm, SignInForm
from config.accounts.models import User
from config.accounts.selectors import SESSION_KEY, THEMES, organisations_of

BACKEND = "config.accounts.backends.EmailBackend"
YEAR_S = 365 * 24 * 3600


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """E-mail address and password."""
    form = SignInForm(request, data=request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _enter(request, form.get_user())
    status = 422 if form.is_bound else 200
    context = {"form": form, "next": _next(request, ""), "ways": settings.SIGN_IN_WAYS}
    return render(request, "accounts/sign_in.html", context, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
def link(request: HttpRequest, secret: str) -> HttpResponse:
    """A one-time link: looking at it shows a button, pressing the button uses it."""
    if request.method == "POST":
        user = services.use_sign_in_link(secret)
        if user is not None:
            return _enter(request, user)
    found = services.sign_in_link(secret)
    return render(request, "accounts/link.html", {"link": found}, status=200 if found else 410)


def _enter(request: HttpRequest, user: User) -> HttpResponse:
    login(request, user, backend=BACKEND)
    services.adopt_superuser(user)
    if not user.has_usable_password():
        messages.info(request, _("You have no password yet. Set one, so that you can sign in again."))
        response = redirect("accounts:password")
    else:
        response = redirect(_next(request, settings.LOGIN_REDIRECT_URL))
    if user.language:
        _remember(response, settings.LANGUAGE_COOKIE_NAME, user.language)
    return response


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect(settings.LOGOUT_REDIRECT_URL)


@never_cache
@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    """Set a first password, or change it by naming the present one."""
    person = cast(User, request.user)
    kind = ChangePasswordForm if person.has_usable_password() else NewPasswordForm
    form = kind(person, request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = form.save()
        services.record_event(action="set_password", object_kind="user", object_id=user.public_id, actor=user)
        update_session_auth_hash(request, user)
        messages.success(request, _("Your password is set."))
        return redirect(settings.LOGIN_REDIRECT_URL)
    return render(request, "accounts/password.html", {"form": form}, status=422 if form.is_bound else 200)


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Kept in a cookie, and in the person's row when signed in."""
    code = request.POST.get("language", "")
    response = redirect(_next(request, "/"))
    if code in dict(settings.LANGUAGES) and check_for_language(code):
        _remember(response, settings.LANGUAGE_COOKIE_NAME, code)
        _save_choice(request, "language", code)
    return response


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """ "light", "dark", or anything else to follow the system again."""
    theme = request.POST.get("theme", "")
    theme = theme if theme in THEMES else ""
    response = redirect(_next(request, "/"))
    _remember(response, settings.THEME_COOKIE_NAME, theme)
    _save_choice(request, "theme", theme)
    return response


@login_required
@require_POST
def switch_organisation(request: HttpRequest) -> HttpResponse:
    """Act for another organisation that one belongs to; others answer 404."""
    mine = organisations_of(cast(User, request.user))
    chosen = get_object_or_404(mine, public_id=request.POST.get("organisation") or None)
    request.session[SESSION_KEY] = chosen.pk
    return redirect(_next(request, "/"))


def _save_choice(request: HttpRequest, name: str, value: str) -> None:
    if request.user.is_authenticated:
        User.objects.filter(pk=request.user.pk).update(**{name: value})


def _remember(response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=YEAR_S, secure=settings.HTTPS, httponly=True, samesite="Lax")


def _next(request: HttpRequest, default: str) -> str:
    """The page to return to, if it is one of ours."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if wanted and ours else default
