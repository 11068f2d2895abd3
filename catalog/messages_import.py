"""The words of imports: refused files, rows set aside, warnings and questions."""

from typing import Any

from django.utils.translation import gettext, gettext_noop

from sizing.core.values import Message

FILE_TEXTS = {
    "import_file_missing": gettext_noop("The file %(file)s cannot be read: %(detail)s."),
    "import_file_too_large": gettext_noop("The file is larger than %(limit_mb)s MB."),
    "import_empty_file": gettext_noop("The file is empty."),
    "import_legacy_workbook": gettext_noop("This is an old Excel file (.xls) or a protected one. Save it as .xlsx."),
    "import_other_file": gettext_noop("This is a %(kind)s file, not a price file."),
    "import_encoding": gettext_noop(
        "Byte %(position)s is not valid in the encoding %(encoding)s. Save the file as UTF-8."
    ),
    "import_null_byte": gettext_noop("The file holds a null byte at position %(position)s."),
    "import_line_too_long": gettext_noop("A line has more than %(limit)s characters."),
    "import_too_many_rows": gettext_noop("The file has more than %(limit)s rows."),
    "import_too_many_columns": gettext_noop("Line %(line)s has more than %(limit)s columns."),
    "import_too_many_cells": gettext_noop("The workbook has more than %(limit)s cells or merged cells."),
    "import_cell_too_long": gettext_noop("Line %(line)s has a cell of more than %(limit)s characters."),
    "import_dangerous_formula": gettext_noop(
        "The file holds a formula that calls programs or addresses (line %(line)s)."
    ),
    "import_zip_bomb": gettext_noop("The workbook unpacks to far more than a price list can hold."),
    "import_macros": gettext_noop("The workbook holds macros. Save it as .xlsx without macros."),
    "import_external_links": gettext_noop("The workbook refers to other files. Save it with values only."),
    "import_xml_entities": gettext_noop("The workbook defines XML entities, which no spreadsheet program writes."),
    "import_broken_workbook": gettext_noop("The workbook is damaged: %(detail)s."),
    "import_no_visible_sheet": gettext_noop("The workbook has no visible sheet."),
    "import_no_such_sheet": gettext_noop("There is no visible sheet “%(sheet)s”."),
    "import_short_file": gettext_noop("The trailer counts %(stated)s lines, the file has %(found)s. It is cut short."),
    "import_answers_not_an_object": gettext_noop("The answers must be one JSON object."),
    "import_answers_not_json": gettext_noop("The answers are not JSON: %(detail)s."),
    "import_unknown_answer": gettext_noop("There is no question “%(key)s”."),
    "import_bad_answer": gettext_noop("The answer to “%(key)s” is not one of: %(allowed)s."),
    "import_bad_date": gettext_noop("“%(value)s” is no date such as 2026-11-30."),
    "import_open_questions": gettext_noop("Answer first: %(keys)s."),
    "import_no_supplier": gettext_noop("Name the supplier of this file."),
    "import_unknown_organisation": gettext_noop("There is no organisation “%(organisation)s”."),
    "import_total_differs": gettext_noop("The file states a net total of %(stated)s, the rows add up to %(rows)s."),
    "import_undone_already": gettext_noop("This import was undone already."),
    "import_has_later": gettext_noop("Later files build on this import. Undo them first: %(files)s."),
    "import_not_undoable": gettext_noop("Something else uses rows of this import now: %(detail)s."),
}

ROW_TEXTS = {
    "row_accepted": gettext_noop("Understood."),
    "row_new_price": gettext_noop("New price."),
    "row_price_changed": gettext_noop("The price changes from %(old)s to %(new)s %(currency)s."),
    "row_same_price": gettext_noop("Same price as on file."),
    "row_lead_time_changed": gettext_noop("The delivery statement changes."),
    "row_summary": gettext_noop("Total line, no article."),
    "row_text": gettext_noop("Text, no article."),
    "row_identical": gettext_noop("Repeats line %(first_line)s exactly."),
    "row_hidden": gettext_noop("The row is hidden in the workbook."),
    "row_broken_quotes": gettext_noop("The quotation marks of this line do not match."),
    "row_damaged_part_number": gettext_noop("“%(value)s” is a part number that a spreadsheet has damaged."),
    "row_damaged_gtin": gettext_noop("“%(value)s” is a GTIN that a spreadsheet has damaged; it is left out."),
    "row_formula_text": gettext_noop("“%(value)s” looks like a formula, not like a part number."),
    "row_part_number_too_long": gettext_noop("The part number has more than %(limit)s characters."),
    "row_no_part_number": gettext_noop("The part number is missing."),
    "row_no_price": gettext_noop("“%(value)s” is no price."),
    "row_too_many_decimals": gettext_noop(
        "The price “%(value)s” has more than six decimals; please confirm a rounded one."
    ),
    "row_unknown_price": gettext_noop("The price is unknown (“%(value)s”)."),
    "row_unknown_discount": gettext_noop("“%(value)s” is no discount in per cent."),
    "row_price_from_discount": gettext_noop("The price %(price)s is the list price less %(discount_pct)s %%."),
    "row_unknown_price_unit": gettext_noop("For how many pieces the price stands is not clear (“%(value)s”)."),
    "row_price_per_unit": gettext_noop("%(value)s stands for %(pieces)s pieces; the price is for one."),
    "row_tier_off": gettext_noop(
        "The price %(price)s from %(min_qty)s pieces does not fit the price %(usual)s for fewer; please confirm."
    ),
    "row_negative_price": gettext_noop("The price “%(value)s” is below zero."),
    "row_zero_price": gettext_noop("A price of zero is no price, not free (list price: %(list_price)s)."),
    "row_price_above_list": gettext_noop("The price %(price)s is above the list price %(list_price)s."),
    "row_no_offer": gettext_noop("“%(value)s”: a credit, a discount or a charge is no price of a product."),
    "row_bad_currency": gettext_noop("“%(value)s” is no currency."),
    "row_two_currencies": gettext_noop("The row names two currencies: %(first)s and %(second)s."),
    "row_no_number": gettext_noop("“%(value)s” in %(role)s is no number."),
    "row_no_whole_number": gettext_noop("“%(value)s” in %(role)s is no whole number."),
    "row_no_date": gettext_noop("“%(value)s” in %(role)s is no date."),
    "row_lead_time_unknown": gettext_noop("The delivery statement “%(value)s” says no time."),
    "row_expired": gettext_noop("The offer ended on %(valid_until)s; it is kept and never chosen."),
    "row_conflict": gettext_noop("Line %(first_line)s states another price for the same offer: %(price)s."),
    "row_outlier": gettext_noop(
        "The price %(price)s from %(min_qty)s pieces is %(change_pct)s %% off the usual %(usual)s; please confirm."
    ),
    "row_waits_for_number_style": gettext_noop("“%(value)s” waits for your answer to the question on numbers."),
    "row_waits_for_date_order": gettext_noop("“%(value)s” can be read in two ways; answer the question on dates."),
    "row_waits_for_columns": gettext_noop("The meaning of the columns is not known yet."),
    "row_waits_for_implied_decimals": gettext_noop("Whether the last digits are decimals is not known yet."),
    "row_no_part_of_ours": gettext_noop("Decided earlier: this line is none of our parts."),
    "row_match_open": gettext_noop("Which accelerator this is stays open; nearest: %(candidates)s."),
}

QUESTION_TEXTS = {
    "ask_number_style": gettext_noop("How is “%(example)s” meant?"),
    "ask_number_style_mixed": gettext_noop(
        "The column mixes ways of writing numbers, for instance “%(example)s”. Which holds?"
    ),
    "ask_date_order": gettext_noop("Does “%(example)s” begin with the day or the month?"),
    "ask_price_column": gettext_noop("%(count)s columns are named “%(header)s”. Which one is your cost?"),
    "ask_columns": gettext_noop("The file has no header. What do its %(columns)s columns mean?"),
    "ask_currency": gettext_noop("Which currency are the prices in?"),
    "ask_hidden_rows": gettext_noop("Hidden rows in the workbook: %(rows)s. Do they count?"),
    "ask_sheet": gettext_noop("%(count)s sheets hold tables. Is “%(sheet)s” the right one?"),
    "ask_lead_time_unit": gettext_noop("Are the bare numbers of the delivery column days, weeks or months?"),
    "ask_implied_decimals": gettext_noop("Are the last two digits of “%(example)s” decimals?"),
    "ask_current_price": gettext_noop("Lines %(first_line)s and %(second_line)s state two prices. Which one holds?"),
}

TEXTS = {**FILE_TEXTS, **ROW_TEXTS, **QUESTION_TEXTS}


def render(message: Message) -> str:
    """The sentence of a message in the active language. Raises KeyError for a code without words."""
    return gettext(TEXTS[message.code]) % {name: _shown(value) for name, value in message.params.items()}


def problem(code: str, params: Any, *, pointer: str = "") -> dict[str, Any]:
    """RFC 9457 body for one fault of a file or of its answers."""
    detail = render(Message(code, params))
    return {
        "type": "about:blank",
        "title": gettext("The file cannot be imported"),
        "status": 400,
        "detail": detail,
        "errors": [{"pointer": pointer, "code": code, "detail": detail}],
    }


def _shown(value: object) -> object:
    return gettext("unknown") if value is None else value
