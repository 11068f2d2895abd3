from quotes.models.after import Comment, SentDocument
from quotes.models.approval import Approval, ApprovalRule
from quotes.models.clearance import NameClearance
from quotes.models.document import RevisionFile
from quotes.models.files import Attachment, EvidenceFeed
from quotes.models.line import QuoteLine
from quotes.models.parties import PartyList, PartyName
from quotes.models.policy import QuotePolicy
from quotes.models.quote import Quote, QuoteRevision
from quotes.models.rescreening import Rescreening
from quotes.models.screening import Decision, ScreeningFinding
from quotes.models.share import ShareLink
from quotes.models.statement import TelecomStatement

__all__ = [
    "Approval",
    "ApprovalRule",
    "Attachment",
    "Comment",
    "Decision",
    "EvidenceFeed",
    "NameClearance",
    "PartyList",
    "PartyName",
    "Quote",
    "QuoteLine",
    "QuotePolicy",
    "QuoteRevision",
    "Rescreening",
    "RevisionFile",
    "ScreeningFinding",
    "SentDocument",
    "ShareLink",
    "TelecomStatement",
]
