"""What people type under a revision: a comment, or where its document goes."""

from django import forms

from quotes.after import COMMENT_LETTERS_MAX


class CommentForm(forms.Form):
    text = forms.CharField(max_length=COMMENT_LETTERS_MAX, required=False)


class SendForm(forms.Form):
    recipient = forms.CharField(max_length=254, required=False)
    language = forms.ChoiceField(choices=[("en", "en"), ("de", "de")], required=False)
    text = forms.CharField(max_length=4_000, required=False)
