"""Page routes of quotes."""

from django.urls import path

from quotes import after_views, evidence_views, party_views, price_views, share_views, verify_views, views

app_name = "quotes"
urlpatterns = [
    path("", views.quote_list, name="list"),
    path("create/", views.create, name="create"),
    path("verify/", verify_views.verify, name="verify"),
    path("verify/<str:value>", verify_views.verify, name="verify_value"),
    path("verify/<str:value>/", verify_views.verify),
    path("evidence/", evidence_views.register, name="evidence"),
    path("evidence/record/", evidence_views.record, name="evidence_record"),
    path("evidence/feed/", evidence_views.feed, name="evidence_feed"),
    path("evidence/<uuid:public_id>/file", evidence_views.file, name="evidence_file"),
    path("lists/", evidence_views.screening_lists, name="screening_lists"),
    path("parties/", party_views.overview, name="party_lists"),
    path("parties/load/", party_views.load, name="party_list_load"),
    path("parties/<uuid:public_id>/", party_views.detail, name="party_list"),
    path("parties/<uuid:public_id>/<str:action>/", party_views.act, name="party_list_act"),
    path("s/<str:secret>/", share_views.shared, name="shared"),
    path("s/<str:secret>/<str:format_name>", share_views.shared_file, name="shared_file"),
    path("<uuid:public_id>/", views.quote, name="quote"),
    path("<uuid:public_id>/edit/", views.edit, name="edit"),
    path("<uuid:public_id>/lines/", views.lines, name="lines"),
    path("<uuid:public_id>/lines/add/", views.add_line, name="add_line"),
    path("<uuid:public_id>/lines/discount/", views.discount, name="discount"),
    path("<uuid:public_id>/lines/<str:action>/", views.line_action, name="line_action"),
    path("<uuid:public_id>/act/<str:action>/", views.act, name="act"),
    path("<uuid:public_id>/rescreen/", evidence_views.rescreen, name="rescreen"),
    path("<uuid:public_id>/flags/<uuid:task_id>/", evidence_views.settle, name="flags_settle"),
    path("<uuid:public_id>/prices/", price_views.prices, name="prices"),
    path("<uuid:public_id>/decide/", views.decide, name="decide"),
    path("<uuid:public_id>/r<int:number>/", views.quote, name="revision"),
    path("<uuid:public_id>/r<int:number>/share/", share_views.make, name="share"),
    path("<uuid:public_id>/r<int:number>/share/revoke/", share_views.revoke, name="share_revoke"),
    path("<uuid:public_id>/r<int:number>/changes/", views.changes, name="changes"),
    path("<uuid:public_id>/r<int:number>/changes.pdf", after_views.changes_file, name="changes_file"),
    path("<uuid:public_id>/r<int:number>/comments/", after_views.comment, name="comment"),
    path("<uuid:public_id>/r<int:number>/send/", after_views.send, name="send"),
    path("<uuid:public_id>/r<int:number>/<str:format_name>", views.export, name="export"),
]
