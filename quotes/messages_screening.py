"""The words of the screening: one template per rule, applicability test, note and input fault.

Codes are rule ids, with a variant after a dot where one rule has several reasons.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DISCLAIMER = _(
    "This is an automated screening of the data shown, made on the date and with the list versions stated. It is "
    "not a certification, a customs ruling, legal advice or a representation to any government. Origin and component "
    "data come from third parties and may be wrong or incomplete. 'Screened: pass' means only that no conflict was "
    "found in that data. The offeror stays responsible for its own inquiry and for every representation it signs."
)

APPLICABILITY_WORDS: dict[str, str | Promise] = {
    "APP-01": _("The total value reaches the WTO GPA value for the quote date."),
    "APP-02": _("The total value stays below the WTO GPA value for the quote date."),
    "APP-03": _("The buyer type or the total value of the acquisition is missing."),
    "APP-04": _("Set-asides for small businesses lie outside the trade agreements."),
    "APP-05": _(
        "The value for the quote date is not verified yet, and the total lies within 5 percent of the last one."
    ),
    "APP-06": _("A Schedule contract carries the clause at any order value."),
    "APP-07": _("For a subcontractor the prime contractor's clause decides, and it is not known."),
    "APP-08": _("This buyer is not bound by the Trade Agreements Act."),
    "APP-09": _("The contract text demands goods from designated countries."),
    "S889-APP-01": _("Section 889 binds this buyer."),
    "S889-APP-02": _("Section 889 does not bind this buyer."),
    "S889-APP-03": _("Whether Section 889 binds this buyer depends on where the money comes from."),
    "S889-APP-04": _("Part B of Section 889 binds prime contractors only."),
    "S5949-APP-01": _("Section 5949 binds this buyer."),
    "S5949-APP-02": _("Section 5949 does not bind this buyer."),
    "S5949-APP-03": _("Whether Section 5949 binds this buyer is not settled."),
    "S5949-APP-04": _("Software holds no chips."),
    "S1260H-APP-01": _("The Section 1260H list binds purchases by the Department of Defense."),
    "S1260H-APP-02": _("The Section 1260H list does not bind this buyer."),
    "S1260H-APP-03": _("The buyer may act for the Department of Defense; it is not known."),
    "PARTY-APP-01": _("Parties of the quote are compared with every list loaded."),
    "PARTY-APP-02": _("Exclusions from federal procurement bind this buyer."),
    "PARTY-APP-03": _("No exclusions are loaded, or they do not bind this buyer."),
    "PARTY-APP-04": _("Whether exclusions from federal procurement bind this buyer is not settled."),
    "EXP-APP-01": _("The goods leave the United States or are re-exported."),
    "EXP-APP-02": _("The goods stay in the United States."),
    "EXP-APP-03": _("The destination is not known."),
}

TAA_WORDS: dict[str, str | Promise] = {
    "TAA-001": _("Origin %(origin)s counts as the United States; evidence of grade %(grade)s dated %(dated)s."),
    "TAA-002": _("Origin %(origin)s is a designated country; evidence of grade %(grade)s dated %(dated)s."),
    "TAA-003": _("Origin %(origin)s is not a designated country."),
    "TAA-004.blank": _("No origin is stated."),
    "TAA-004.unreadable": _("The origin text “%(text)s” names no country that can be read with certainty."),
    "TAA-005.region": _("“%(text)s” is a region, not a country of origin."),
    "TAA-005.mixed": _("“%(text)s” may mean %(origin)s; some of these are designated and some are not."),
    "TAA-006.assembly": _("“%(text)s” speaks of assembly, which is not yet a statement of origin."),
    "TAA-006.transformation": _(
        "A change of origin to or in %(origin)s is claimed; a customs ruling or a letter must settle it."
    ),
    "TAA-007.none": _("Origin %(origin)s is stated without evidence."),
    "TAA-007.datasheet": _("Origin %(origin)s rests on a data sheet or web page, which is only a hint."),
    "TAA-007.policy": _("Origin %(origin)s rests on a distributor feed; your organisation asks for grade A."),
    "TAA-008.undated": _("The evidence for origin %(origin)s has no date."),
    "TAA-008.future": _("The evidence for origin %(origin)s is dated after the quote."),
    "TAA-008.stale": _(
        "The evidence for origin %(origin)s is %(age_days)s days old; the limit is %(limit_days)s days."
    ),
    "TAA-009.pass": _("The provider of the service is established in %(origin)s, the US or a designated country."),
    "TAA-009.fail": _("The provider of the service is established in %(origin)s, which is not designated."),
    "TAA-009.unknown": _("The country where the provider of the service is established is not known."),
    "TAA-010": _("No statement of origin by the publisher of the software is on file."),
    "TAA-011": _("Origins of parts are known, the origin of the system itself is not."),
    "TAA-014": _("Hong Kong as origin rests on a distributor feed only; a letter or ruling is needed."),
    "TAA-015": _("Origin %(origin)s is a DFARS qualifying country outside the FAR list; a person must decide."),
    "TAA-NOTE-PART": _("Part %(part_class)s by %(maker)s comes from %(origin)s; parts do not decide the end product."),
    "SRC-001": _("Origin %(origin)s is a prohibited source."),
}

S889_WORDS: dict[str, str | Promise] = {
    "S889-001": _("“%(name)s” is a name of the %(group)s group, on a network or telecom line (list row %(entity)s)."),
    "S889-002": _(
        "“%(name)s” is a name of the %(group)s group, on a network, telecom or video line (list row %(entity)s)."
    ),
    "S889-003": _(
        "“%(name)s” is a name of the %(group)s group, on a line that may lie outside the wording (list row %(entity)s)."
    ),
    "S889-004": _("Part maker “%(name)s” is a name of the %(group)s group (list row %(entity)s, class %(category)s)."),
    "S889-005": _(
        "“%(name)s” resembles “%(alias)s” of the %(group)s group (list row %(entity)s); a person must decide."
    ),
    "S889-006": _(
        "“%(name)s” was or is tied to the %(group)s group (list row %(entity)s): check owner and equipment maker."
    ),
    "S889-007.maker": _("No listed name found; only the maker level was checked."),
    "S889-007.part_list": _("No listed name found in the maker and in the full part list (%(parts)s parts)."),
    "S889-007.statement": _("No listed name found; the maker's statement is dated %(dated)s."),
    "S889-008": _("Neither maker nor brand is named."),
    "S889-009": _(
        "No listed name found, but neither a full part list nor a maker's statement of the last year is there."
    ),
    "S889-010": _("The provider “%(name)s” is a name of the %(group)s group (list row %(entity)s)."),
    "S889-010.no_statement": _("No statement of the service provider of the last year is on file."),
    "S889-011": _("Software: no listed name found at the maker level."),
    "S889-012": _("The statement of %(dated)s names covered equipment or services in this article."),
    "S889-012.maker": _(
        "The statement of %(dated)s names covered equipment or services in what the firm supplies; whether this "
        "article is concerned must be settled."
    ),
    "S889-NOTE-FEED": _("A distributor's feed of %(dated)s says something on Section 889; it is no maker's statement."),
    "NAME-CLEARED": _("Two people found on %(on)s that “%(name)s” is another firm than list row %(entity)s."),
    "S889-020.missing": _("The seller's own part B representation is missing."),
    "S889-020.old": _("The seller's own part B representation of %(dated)s is older than twelve months."),
    "S889-020.future": _("The seller's own part B representation is dated %(dated)s, after the quote."),
    "S889-020.on_file": _("The seller's own part B representation of %(dated)s is on file."),
}

OTHER_WORDS: dict[str, str | Promise] = {
    "PARTY-001.csl": _(
        "“%(name)s” is or resembles “%(listed)s” of the Consolidated Screening List (%(source)s, entry %(entity)s); a "
        "person must decide."
    ),
    "PARTY-001.sam": _(
        "“%(name)s” is or resembles “%(listed)s” of the SAM exclusions (%(source)s, entry %(entity)s); a person must "
        "decide."
    ),
    "PARTY-002.sam": _(
        "“%(name)s” is or resembles “%(listed)s” of the SAM exclusions (%(source)s, entry %(entity)s); a person must "
        "decide."
    ),
    "PARTY-003.parties": _("No listed firm found among the parties named."),
    "PARTY-003.makers": _("No excluded firm found among the makers named."),
    "PARTY-004": _("Neither maker nor brand is named."),
    "PARTY-005": _("No buyer is named."),
    "PARTY-NOTE-MAKER": _(
        "“%(name)s” is or resembles “%(listed)s” of the Consolidated Screening List (entry %(entity)s); buying from a "
        "listed firm may need a look at the list's own rules."
    ),
    "S5949-001": _("“%(name)s” stands for a barred chip source (list row %(entity)s); barred from 23 December 2027."),
    "S5949-001.doubt": _("“%(name)s” resembles the barred chip source “%(alias)s” (list row %(entity)s)."),
    "S5949-002": _("“%(name)s” is a barred chip source (list row %(entity)s) and the contract starts after the date."),
    "S5949-003": _("Without a full part list the chip sources are not known."),
    "S5949-004": _("No barred chip source in the full part list."),
    "S1260H-001": _("Contracting party “%(name)s” is listed (row %(entity)s); barred from 30 June 2026."),
    "S1260H-001.fail": _("Contracting party “%(name)s” is listed (row %(entity)s) and contracts with it are barred."),
    "S1260H-001.doubt": _("Contracting party “%(name)s” resembles or is tied to “%(alias)s” (row %(entity)s)."),
    "S1260H-002": _("Maker or brand “%(name)s” is listed (row %(entity)s); its goods are barred from 30 June 2027."),
    "S1260H-002.doubt": _("Maker or brand “%(name)s” resembles or is tied to “%(alias)s” (row %(entity)s)."),
    "S1260H-003": _("Maker or brand “%(name)s” is listed (row %(entity)s) and its goods are barred."),
    "S1260H-004": _("Part maker “%(name)s” is listed (row %(entity)s); components are excepted, a person must decide."),
    "S1260H-004.doubt": _("Part maker “%(name)s” resembles or is tied to “%(alias)s” (row %(entity)s)."),
    "S1260H-005": _("Neither maker nor brand is named."),
    "S1260H-006": _("No listed company found as party, maker, brand or part maker."),
    "EXP-000": _("The destination %(destination)s is in the United States."),
    "EXP-001": _("ECCN %(eccn)s to %(destination)s: the licence question, with the head office test, needs a person."),
    "EXP-002": _("No export classification (ECCN) is given."),
    "EXP-002.unreadable": _("“%(eccn)s” is no export classification (ECCN) that can be read."),
    "EXP-003": _("The destination %(destination)s is under embargo or comprehensive control."),
    "EXP-004": _("No single country of destination is given."),
    "EXP-005.pass": _("ECCN %(eccn)s to %(destination)s raises no question here."),
    "EXP-005.review": _("ECCN %(eccn)s to %(destination)s: the end use and the end user need a check."),
    "EXP-006": _("Party “%(name)s” matches “%(alias)s” of the Entity List (row %(entity)s); a person must decide."),
    "EXP-NOTE-MAKER": _("Maker “%(name)s” is on the Entity List (row %(entity)s); this does not bar buying from it."),
    "LIST-OVERDUE": _("The check of list %(list)s was due on %(due)s; until then a pass counts as a review."),
    "Q-001": _(
        "The gravest finding counts: conflict %(fail)s, review needed %(review)s, unknown %(unknown)s, none %(pass)s."
    ),
    "Q-002": _("All %(pass)s results in scope are without a finding."),
    "Q-003": _("Nothing in scope: not applicable."),
}

FAULT_WORDS: dict[str, str | Promise] = {
    "screen_file_missing": _("The file %(file)s cannot be read: %(detail)s."),
    "screen_file_too_large": _("The file is larger than %(limit_bytes)s bytes."),
    "screen_not_utf8": _("The file is not UTF-8 (byte %(position)s)."),
    "screen_null_byte": _("The file holds a null byte (position %(position)s)."),
    "screen_not_csv": _("Line %(row)s is no readable CSV: %(detail)s."),
    "screen_too_many_rows": _("The table has more than %(limit)s rows."),
    "screen_row_width": _("The row has %(cells)s cells, the header has %(columns)s columns."),
    "screen_unknown_column": _("There is no column “%(column)s”."),
    "screen_double_column": _("The column “%(column)s” stands twice in the header."),
    "screen_missing_column": _("The column “%(column)s” is missing."),
    "screen_missing_value": _("The column “%(column)s” must be filled."),
    "screen_unknown_value": _("“%(value)s” is not allowed in the column “%(column)s”; allowed: %(allowed)s."),
    "screen_bad_date": _("“%(value)s” in the column “%(column)s” is no date such as 2026-11-30."),
    "screen_bad_amount": _("“%(value)s” in the column “%(column)s” is no amount of zero or more."),
    "screen_bad_component": _("The part “%(value)s” is not of the form maker|class|origin."),
    "screen_too_many_components": _("A line has more than %(limit)s parts."),
    "screen_bad_result": _("“%(value)s” is not of the form L1=applies/pass."),
}

WORDS: dict[str, str | Promise] = {
    **APPLICABILITY_WORDS,
    **TAA_WORDS,
    **S889_WORDS,
    **OTHER_WORDS,
    **FAULT_WORDS,
    "SCREENING-DISCLAIMER": DISCLAIMER,
}
