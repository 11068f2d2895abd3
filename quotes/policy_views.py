"""The page of an organisation's rules for quotes: screening, documents, approvals."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_POST, require_safe

from config.accounts.models import Organisation
from config.accounts.permissions import Action, require
from config.accounts.selectors import current_organisation
from quotes import policy
from quotes.line_forms import PolicyForm, RuleForm
from quotes.models import ApprovalRule
from quotes.printing.letter import FIELDS, standard_letter
from quotes.views import person


@require_safe
@login_required
def settings(request: HttpRequest) -> HttpResponse:
    """How we screen, what our documents say, who approves."""
    organisation = _administered(request)
    form = PolicyForm(instance=policy.policy_of(organisation))
    return _page(request, organisation, form, RuleForm(initial={"currency": organisation.currency}))


@require_POST
@login_required
def save(request: HttpRequest) -> HttpResponse:
    """Screening and documents."""
    organisation = _administered(request)
    form = PolicyForm(request.POST, instance=policy.policy_of(organisation))
    if not form.is_valid():
        return _page(request, organisation, form, RuleForm(), status=422)
    policy.save_policy(policy=form.instance, changed=list(form.changed_data), user=person(request))
    messages.success(request, _("Saved."))
    return redirect("quotes:policy")


@require_POST
@login_required
def add_rule(request: HttpRequest) -> HttpResponse:
    """One more rule of approval."""
    organisation = _administered(request)
    form = RuleForm(request.POST)
    if form.is_valid():
        try:
            policy.add_rule(organisation=organisation, fields=form.cleaned_data, user=person(request))
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            return redirect("quotes:policy")
    return _page(request, organisation, PolicyForm(instance=policy.policy_of(organisation)), form, status=422)


@require_POST
@login_required
def remove_rule(request: HttpRequest, pk: int) -> HttpResponse:
    rule = ApprovalRule.objects.filter(organisation=_administered(request), pk=pk).first()
    if rule is None:
        raise Http404
    policy.remove_rule(rule=rule, user=person(request))
    return redirect("quotes:policy")


def _page(
    request: HttpRequest, organisation: Organisation, form: PolicyForm, rule: RuleForm, *, status: int = 200
) -> HttpResponse:
    letters = []
    for code, name in (("en", _("English")), ("de", _("German"))):
        with override(code):
            letters.append((name, standard_letter()))
    context = {
        "form": form,
        "rule": rule,
        "rules": ApprovalRule.objects.filter(organisation=organisation),
        "fields": [f"{{{name}}}" for name in FIELDS],
        "letters": letters,
    }
    return render(request, "quotes/policy.html", context, status=status)


def _administered(request: HttpRequest) -> Organisation:
    organisation = current_organisation(request)
    require(request.user, organisation, Action.ADMINISTER)
    if organisation is None:
        raise Http404
    return organisation
