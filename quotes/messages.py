"""Words of the message codes of quotes."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WORDS: Mapping[str, str | Promise] = {
    "price_not_known": _("no price received"),
    "price_without_date": _("a price without date does not count"),
    "price_without_rate": _("%(amount)s %(currency)s, no exchange rate to %(wanted)s"),
    "price_only_indicative": _("indicative price, not counted"),
    "open_field": _("Field open: %(field)s"),
    "open_tax": _("The tax treatment is open."),
    "open_tax_rate": _("Line %(line)s has no tax rate."),
    "open_validation": _("The configuration has not been validated by a person."),
    "open_price": _("Line %(line)s: price open"),
    "open_price_indicative": _("Line %(line)s: only an indicative price"),
    "open_price_undated": _("Line %(line)s: price without date"),
    "open_price_stale": _("Line %(line)s: price is %(age_days)s days old, the limit is %(limit_days)s"),
    "open_lead_time": _("Line %(line)s: no lead time"),
    "open_lead_time_undated": _("Line %(line)s: lead time without date"),
    "open_lead_time_stale": _("Line %(line)s: lead time is %(age_days)s days old, the limit is %(limit_days)s"),
    "open_schedule": _("Line %(line)s: schedule item or open market not stated"),
    "open_screening": _("The quote has not been screened."),
    "open_finding": _("Line %(line)s: %(regime)s %(flag)s"),
    "open_finding_quote": _("Whole quote: %(regime)s %(flag)s"),
    "open_signs": _("These signs cannot be printed: %(signs)s"),
    "open_signs_line": _("Line %(line)s: these signs cannot be printed: %(signs)s"),
    "open_validity": _("No day is named until which the quote is valid."),
    "open_validity_past": _("The validity ended on %(date)s."),
    "quote_bom_empty": _("This option has no bill of materials, so there is nothing to quote."),
    "quote_line_kind_unknown": _("Line %(line)s: the kind %(kind)s is not known."),
    "quote_quantity_not_positive": _("Line %(line)s: enter a quantity above 0, not %(quantity)s."),
    "quote_number_unreadable": _("Line %(line)s: %(value)s is not a number."),
    "quote_input_unreadable": _("Give an option of a result, or an object or list with the lines of a bill."),
    "quote_result_without_option": _("This result has no option that could be quoted."),
    "quote_wrong_state": _("The quote is %(state)s; it cannot become %(wanted)s. Possible next: %(allowed)s."),
    "quote_wrong_state_final": _("The quote is %(state)s; that is final."),
    "quote_open_items": _("%(count)s items are open. Settle them or record why they stand."),
    "quote_changed_meanwhile": _(
        "Somebody changed %(number)s in the meantime. Look at it again, then repeat your change."
    ),
    "quote_line_changed_meanwhile": _(
        "Somebody changed line %(line)s in the meantime. Look at it again, then repeat your change."
    ),
    "quote_other_organisation": _("This option belongs to another organisation."),
    "quote_role_missing": _("Your role does not allow this (%(action)s)."),
    "quote_own_approval": _("Nobody approves their own quote. Ask a colleague with the role approver."),
    "quote_reason_missing": _("State a reason."),
    "quote_has_expired": _("The quote was valid until %(date)s. Make a new revision."),
    "quote_field_fixed": _("The field %(field)s cannot be changed."),
    "quote_currency_fixed": _("The currency stays %(currency)s: the prices are in it."),
    "quote_share_draft": _("Only a locked revision can be shared. Lock it first."),
    "quote_share_days": _("Enter 1 to %(limit)s days, not %(days)s."),
    "quote_line_has_alternative": _("Line %(line)s has the alternative %(alternative)s. Remove that one first."),
    "quote_own_decision": _(
        "Nobody decides about a finding of their own quote. Ask a colleague with the role approver."
    ),
    "quote_evidence_by_register": _("Proof of origin comes from the evidence register. Record the claim there."),
    "quote_fail_to_pass_alone": _(
        "Line %(line)s would go from fail to pass by proof that you recorded yourself. Ask a colleague to screen again."
    ),
    "rescreening_settled_already": _("Somebody settled this task already."),
    "evidence_part_unknown": _("The catalogue has no part with the number %(mpn)s."),
    "evidence_part_ambiguous": _("Several makers use the number %(mpn)s. Name the manufacturer."),
    "evidence_letter_missing": _("A letter or a ruling counts only with its file. Attach it."),
    "evidence_date_ahead": _("The statement is dated %(date)s, which lies ahead."),
    "evidence_file_too_large": _("The file is larger than %(limit)s MB."),
    "evidence_file_kind": _("Attach a PDF, PNG or JPEG file."),
    "evidence_feed_too_large": _("The feed has more than %(limit)s rows or %(limit_mb)s MB. Split it."),
    "evidence_feed_not_utf8": _("The feed is not text in UTF-8. Export it as CSV in UTF-8."),
    "evidence_feed_not_csv": _("The feed cannot be read as CSV."),
    "evidence_feed_empty": _("The feed has no rows."),
    "evidence_feed_column_missing": _("The feed has no column %(column)s."),
    "evidence_feed_column_twice": _("The feed has the column %(column)s twice."),
    "evidence_feed_row_without_part": _("Row %(line)s has no part number."),
    "evidence_feed_date": _("Row %(line)s: %(value)s is no date. Write YYYY-MM-DD."),
    "evidence_feed_date_ahead": _("Row %(line)s: the date %(value)s lies ahead."),
    "evidence_feed_without_name": _("Name the distributor."),
    "statement_without_firm": _("Name the maker or supplier."),
    "statement_says_neither": _("A letter says that there is no covered equipment, or that there is some. Choose one."),
    "clearance_no_match": _("No name of this line meets a list row."),
    "clearance_listed_itself": _(
        "“%(name)s” is a name of the listed firm itself (“%(listed)s”). It cannot be cleared; record a decision."
    ),
    "clearance_without_article": _("Line %(line)s has no part number and no supplier to clear the name for."),
    "clearance_needs_proof": _("“%(name)s” equals the listed name. Attach a proof that it is another firm."),
    "clearance_known": _("“%(name)s” against “%(listed)s” waits or is confirmed already."),
    "clearance_not_waiting": _("This finding does not wait for a second person."),
    "clearance_not_open": _("This finding is closed already."),
    "clearance_own": _("A second person confirms. Ask a colleague with the role approver."),
    "clearance_row_changed": _("The list row %(entity)s changed since. Look at the name again."),
    "party_file_not_utf8": _("The file is not text in UTF-8. Load it as its publisher hands it out."),
    "party_file_not_csv": _("Row %(line)s cannot be read as CSV."),
    "party_file_column_missing": _("The file has no column %(column)s. Is it the list chosen above?"),
    "party_file_date": _("Row %(line)s: %(value)s is no date."),
    "party_file_archive": _("The ZIP file holds %(files)s CSV files; it must hold one."),
    "party_file_broken_archive": _("The ZIP file cannot be opened."),
    "party_file_too_large": _("The list is larger than %(limit_mb)s MB."),
    "party_file_empty": _("The list names no firm."),
    "party_file_row_change": _(
        "The list names %(rows)s firms, the one in use %(active)s: a change of more than a fifth. Look at it and say "
        "why it is right."
    ),
    "party_file_known": _("This file is loaded already as %(version)s."),
    "party_file_date_ahead": _("The list is dated %(date)s, which lies ahead."),
    "party_list_not_staged": _("%(version)s cannot be taken into use: it is not read, or in use already."),
    "party_list_not_active": _("%(version)s is not in use."),
    "quote_nothing_to_undo": _("The last thing that happened here was no change of lines by you."),
    "attachment_empty": _("The file is empty."),
    "attachment_too_large": _("The file is larger than %(limit_mb)s MB."),
    "attachments_too_many": _("A revision keeps up to %(files)s files and %(limit_mb)s MB."),
    "quote_tiers_unreadable": _("Line %(line)s: write quantity breaks as 1: 100.00; 10: 90.00."),
    "quote_quantity_not_sold": _(
        "Line %(line)s is sold from %(minimum)s on and in multiples of %(multiple)s. Enter %(enough)s."
    ),
    "quote_comment_empty": _("Write a comment first."),
    "quote_send_locked_only": _("Only a locked or accepted revision can be sent."),
    "quote_send_address": _("%(address)s is no e-mail address."),
}
