"""Quote numbers: one sequence per organisation and year, without gaps or doubles."""

from django.db.models import Max

from config.accounts.models import Organisation
from quotes.models import Quote


def next_number(organisation: Organisation, year: int) -> tuple[int, str]:
    """The next sequence and its number, "Q-2026-0001".

    Holds the organisation's row until the end of the transaction, so that two quotes made at the
    same moment get two numbers. Call it inside a transaction.
    """
    Organisation.objects.select_for_update(no_key=True).get(pk=organisation.pk)
    last = Quote.objects.filter(organisation=organisation, year=year).aggregate(last=Max("sequence"))["last"]
    sequence = (last or 0) + 1
    return sequence, f"Q-{year}-{sequence:04d}"
